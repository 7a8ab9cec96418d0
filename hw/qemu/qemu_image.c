#include "hw/qemu/qemu_image.h"

#include "core/mem.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* -1: no memory. */
static int copy_of(int from)
{
    int fd = memfd_create("hwcheck-image", MFD_CLOEXEC);
    char buffer[65536];
    ssize_t n = 0;
    for (off_t at = 0;
         fd >= 0 && (n = pread(from, buffer, sizeof buffer, at)) > 0; at += n)
        if (write(fd, buffer, (size_t)n) != n) {
            close(fd);
            return -1;
        }
    return fd;
}

static bool put(const struct qemu_runtime *r, uint64_t pc, const void *bytes,
                size_t n)
{
    for (uint32_t i = 0; i < r->image->n_segments; i++) {
        const struct machine_segment *s = &r->image->segments[i];
        if (pc - s->addr < s->n_data && s->n_data - (pc - s->addr) >= n)
            return pwrite(r->link.image, bytes, n,
                          (off_t)(s->offset + (pc - s->addr))) == (ssize_t)n;
    }
    return false;
}

static uint32_t guest_word(const struct isa *isa, uint32_t word)
{
    return isa->big_endian ? __builtin_bswap32(word) : word;
}

static bool disarm(struct qemu_runtime *r, const struct instruction *in)
{
    const struct isa *isa = r->image->isa;
    return in->length < isa->n_trap || put(r, in->pc, isa->trap, isa->n_trap);
}

static bool selects(const struct effect *e)
{
    return e->n_flows > 0 && e->flows[0].kind == FLOW_SELECT;
}

/* Without room for more stubs the rest stays as it is, and which operand is
 * taken unknown. */
static bool move(struct qemu_runtime *r, const struct instruction *in)
{
    const struct machine_image *im = r->image;
    uint64_t at = im->stubs.from + (uint64_t)r->n_selections * STUB_WORDS * 4;
    uint32_t word, stub[STUB_WORDS];
    if (!im->isa->make_stub || at + sizeof stub > im->stubs.to ||
        !machine_image_read(im, in->pc, &word, sizeof word))
        return true;
    word = guest_word(im->isa, word);
    word = guest_word(im->isa, im->isa->make_stub(word, in->pc, at, stub));
    for (int i = 0; i < STUB_WORDS; i++)
        stub[i] = guest_word(im->isa, stub[i]);
    r->selections = mem_room(r->selections, r->n_selections, &r->selections_cap,
                             sizeof *r->selections);
    r->selections[r->n_selections++] = in->pc;
    return put(r, at, stub, sizeof stub) && put(r, in->pc, &word, sizeof word);
}

bool qemu_image_make(struct qemu_runtime *r, struct err *err)
{
    const struct machine_image *im = r->image;
    r->link.image = copy_of(im->fd);
    bool good = r->link.image >= 0;
    for (uint64_t pc = im->text.from; pc < im->text.to && good;) {
        const struct instruction *in = decode_at(&r->decode, pc);
        if (in && in->effect.kind == EFFECT_TRAP)
            good = disarm(r, in);
        else if (in && in->effect.kind == EFFECT_KNOWN && selects(&in->effect))
            good = move(r, in);
        pc += in && in->length ? in->length : im->isa->step;
    }
    return good || err_set(err, ERR_SYSTEM, "no file in memory for the image");
}

static int by_value(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

bool qemu_image_has_stub(const struct qemu_runtime *r,
                         const struct instruction *in)
{
    return selects(&in->effect) && r->n_selections > 0 &&
           bsearch(&in->pc, r->selections, r->n_selections,
                   sizeof *r->selections, by_value);
}

bool qemu_image_differs(const struct qemu_runtime *r,
                        const struct wire_record *load)
{
    uint8_t bytes[sizeof load->bytes];
    return range_has(r->image->text, load->addr) &&
           (load->size > sizeof bytes ||
            !machine_image_read(r->image, load->addr, bytes, load->size) ||
            memcmp(bytes, load->bytes, load->size) != 0);
}
