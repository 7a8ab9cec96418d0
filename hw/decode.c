#include "hw/decode.h"

#include "core/mem.h"

#include <capstone/capstone.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 64 }; /* instructions; about 2.5 KB each */

bool decode_init(struct decode *d, const struct isa *isa, struct err *err)
{
    csh handle = 0;
    *d = (struct decode){.isa = isa};
    cs_err code =
        cs_open((cs_arch)isa->cs_arch, (cs_mode)isa->cs_mode, &handle);
    if (code == CS_ERR_OK)
        code = cs_option(handle, CS_OPT_DETAIL, CS_OPT_ON);
    d->handle = handle;
    if (code != CS_ERR_OK) {
        decode_release(d);
        return err_set(err, ERR_SYSTEM, "disassembler for %s: %s", isa->name,
                       cs_strerror(code));
    }
    return true;
}

void decode_version(char *buf, size_t cap)
{
    int major, minor;
    cs_version(&major, &minor);
    snprintf(buf, cap, "%d.%d", major, minor);
}

void decode_release(struct decode *d)
{
    csh handle = d->handle;
    if (handle)
        cs_close(&handle);
    for (uint32_t i = 0; i < d->n_chunks; i++)
        free(d->chunks[i]);
    free(d->chunks);
    free(d->sections);
    free(d->index);
    *d = (struct decode){0};
}

void decode_add_section(struct decode *d, uint64_t address, const uint8_t *code,
                        size_t bytes)
{
    d->sections = mem_room(d->sections, d->n_sections, &d->sections_cap,
                           sizeof *d->sections);
    d->sections[d->n_sections++] = (struct decode_section){
        .address = address, .bytes = bytes, .code = code};
}

unsigned decode_bytes(const struct decode *d, const uint8_t *code, size_t bytes,
                      uint64_t pc, struct instruction *out)
{
    out->pc = pc;
    out->is_loop_head = false;
    out->text[0] = '\0';
    out->length = (uint8_t)d->isa->decode(
        d->handle, code, bytes, pc, &out->effect, out->text, sizeof out->text);
    return out->length;
}

static struct instruction *nth(const struct decode *d, uint32_t n)
{
    return &d->chunks[n / CHUNK][n % CHUNK];
}

/* Where pc stands in the index, or the free place for it. */
static uint32_t place_of(const struct decode *d, uint64_t pc)
{
    uint32_t mask = d->index_cap - 1;
    uint32_t at = (uint32_t)(pc * UINT64_C(0x9e3779b97f4a7c15) >> 32) & mask;
    while (d->index[at] && nth(d, d->index[at] - 1)->pc != pc)
        at = (at + 1) & mask;
    return at;
}

/* Keeps the index at most half full. */
static void make_room(struct decode *d)
{
    if (d->n * 2 < d->index_cap)
        return;
    d->index_cap = d->index_cap ? d->index_cap * 2 : 2 * CHUNK;
    d->index = mem_resize(d->index, d->index_cap * sizeof *d->index);
    memset(d->index, 0, d->index_cap * sizeof *d->index);
    for (uint32_t i = 0; i < d->n; i++)
        d->index[place_of(d, nth(d, i)->pc)] = i + 1;
}

static struct instruction *next_free(struct decode *d)
{
    if (d->n == d->n_chunks * CHUNK) {
        d->chunks =
            mem_room(d->chunks, d->n_chunks, &d->chunks_cap, sizeof *d->chunks);
        d->chunks[d->n_chunks++] =
            mem_resize(NULL, CHUNK * sizeof(struct instruction));
    }
    return nth(d, d->n);
}

static const struct decode_section *section_of(const struct decode *d,
                                               uint64_t pc)
{
    for (uint32_t i = 0; i < d->n_sections; i++)
        if (pc - d->sections[i].address < d->sections[i].bytes)
            return &d->sections[i];
    return NULL;
}

static struct instruction *at(struct decode *d, uint64_t pc)
{
    make_room(d);
    uint32_t place = place_of(d, pc);
    if (d->index[place])
        return nth(d, d->index[place] - 1);
    const struct decode_section *s = section_of(d, pc);
    if (!s)
        return NULL;
    struct instruction *in = next_free(d);
    size_t offset = (size_t)(pc - s->address);
    if (!decode_bytes(d, s->code + offset, s->bytes - offset, pc, in))
        return NULL;
    d->index[place] = ++d->n;
    return in;
}

const struct instruction *decode_at(struct decode *d, uint64_t pc)
{
    return at(d, pc);
}

void decode_find_loops(struct decode *d, uint64_t from, uint64_t to)
{
    for (uint64_t pc = from; pc < to;) {
        const struct instruction *in = at(d, pc);
        if (!in) {
            pc++;
            continue;
        }
        const struct effect *e = &in->effect;
        if ((e->branch == BRANCH_DIRECT || e->branch == BRANCH_CONDITIONAL) &&
            !e->is_call && e->target && e->target <= pc) {
            struct instruction *head = at(d, e->target);
            if (head)
                head->is_loop_head = true;
        }
        pc += in->length;
    }
}
