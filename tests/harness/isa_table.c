#include "tests/harness/isa_table.h"

#include <capstone/capstone.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unity.h>

enum { LINE_CAP = 4096, CODE_CAP = 16, SHOWN_FAILURES = 20 };

/* --- The notation of effects --- */

struct text {
    char *at;
    size_t cap, used;
    unsigned n_items;
};

__attribute__((format(printf, 2, 3))) static void put(struct text *t,
                                                      const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(t->at + t->used, t->cap - t->used, format, args);
    va_end(args);
    if (n > 0)
        t->used += (size_t)n < t->cap - t->used ? (size_t)n : 0;
}

static void next_item(struct text *t)
{
    if (t->n_items++)
        put(t, "; ");
}

static const char *reg_text(const struct isa *isa, reg_id r)
{
    if (r == REG_NONE)
        return "-";
    if (r == REG_READ)
        return "mem";
    return r < isa->n_regs ? isa->reg_name(r) : "BAD";
}

static void put_regs(struct text *t, const struct isa *isa,
                     const struct regs *regs)
{
    for (int i = 0; i < regs->n; i++)
        put(t, "%s%s", i ? " " : "", reg_text(isa, regs->r[i]));
}

static void put_tags(struct text *t, uint64_t tags)
{
    for (int tag = 0; tag < TAG_COUNT; tag++)
        if (tags & TAG_BIT(tag))
            put(t, " %s", event_tag_name((enum event_tag)tag));
}

static void put_access(struct text *t, const struct isa *isa,
                       const struct effect_access *a)
{
    static const char *const roles[] = {
        [ACCESS_PLAIN] = "",
        [ACCESS_AMO] = ".amo",
        [ACCESS_EXCLUSIVE] = ".ex",
        [ACCESS_AMO_COMPARE] = ".cas",
    };
    uint64_t kind = TAG_BIT(TAG_R) | TAG_BIT(TAG_W);
    next_item(t);
    put(t, "%c%d%s%s%s", a->is_write ? 'W' : 'R', a->size, roles[a->role],
        a->volatile_order ? ".ordered" : "", a->outside_model ? ".weak" : "");
    put_tags(t, a->tags & ~kind);
    put(t, " [");
    put_regs(t, isa, &a->addr);
    put(t, "]");
    if (a->data.n) {
        put(t, " <- ");
        put_regs(t, isa, &a->data);
    }
    if (a->pick.n) {
        put(t, " pick ");
        put_regs(t, isa, &a->pick);
    }
    if (a->result != REG_NONE)
        put(t, " -> %s%s", a->partial ? "+" : "", reg_text(isa, a->result));
}

static void put_flow(struct text *t, const struct isa *isa,
                     const struct effect_flow *f)
{
    next_item(t);
    put(t, "%s %s", reg_text(isa, f->dst), f->kind == FLOW_MERGE ? "+=" : ":=");
    if (f->kind == FLOW_SELECT) {
        put(t, " ");
        put_regs(t, isa, &f->cond);
        struct regs held = f->srcs;
        reg_id last = held.r[--held.n];
        put(t, "(%d) ? ", f->condition);
        put_regs(t, isa, &held);
        put(t, " : %s", reg_text(isa, last));
    } else if (f->srcs.n) {
        put(t, " ");
        put_regs(t, isa, &f->srcs);
    }
}

static void put_branch(struct text *t, const struct isa *isa,
                       const struct effect *e)
{
    if (e->branch == BRANCH_NONE)
        return;
    next_item(t);
    put(t, "%s",
        e->is_return                      ? "return"
        : e->is_call                      ? "call"
        : e->branch == BRANCH_CONDITIONAL ? "if"
                                          : "goto");
    if (e->is_call && e->branch == BRANCH_CONDITIONAL)
        put(t, " if");
    if (e->branch_on.n)
        put(t, " ");
    put_regs(t, isa, &e->branch_on);
}

void isa_effect_print(const struct isa *isa, const struct effect *e, char *text,
                      size_t cap)
{
    struct text t = {.at = text, .cap = cap};
    text[0] = '\0';
    if (e->kind != EFFECT_KNOWN) {
        put(&t, "%s", e->kind == EFFECT_TRAP ? "trap" : "unknown");
        return;
    }
    for (int i = 0; i < e->n_accesses; i++)
        put_access(&t, isa, &e->accesses[i]);
    if (e->fence) {
        next_item(&t);
        put(&t, "F");
        put_tags(&t, e->fence & ~TAG_BIT(TAG_F));
    }
    for (int i = 0; i < e->n_flows; i++)
        put_flow(&t, isa, &e->flows[i]);
    put_branch(&t, isa, e);
    if (e->ends_exclusive) {
        next_item(&t);
        put(&t, "clrex");
    }
    if (!t.n_items)
        put(&t, "-");
}

/* --- Tables --- */

struct row {
    uint8_t code[CODE_CAP];
    size_t bytes;
    char *assembly, *effect; /* point into the line */
};

/* Cuts off spaces at both ends. */
static char *trim(char *s)
{
    s += strspn(s, " \t");
    size_t n = strlen(s);
    while (n && strchr(" \t\r\n", s[n - 1]))
        s[--n] = '\0';
    return s;
}

/* Takes a line of a table apart; false if it is a comment or blank. */
static bool row_parse(char *line, struct row *row)
{
    char *assembly = line[0] == '#' ? NULL : strchr(line, '|');
    char *effect = assembly ? strchr(assembly + 1, '|') : NULL;
    if (!effect)
        return false;
    *assembly++ = '\0';
    *effect++ = '\0';
    row->assembly = trim(assembly);
    row->effect = trim(effect);
    row->bytes = 0;
    unsigned byte;
    for (const char *hex = trim(line); sscanf(hex, "%2x", &byte) == 1; hex += 2)
        if (row->bytes < CODE_CAP)
            row->code[row->bytes++] = (uint8_t)byte;
    return true;
}

static void swap_words(struct row *row)
{
    for (size_t i = 0; i + 4 <= row->bytes; i += 4) {
        uint8_t *w = row->code + i;
        uint8_t reversed[] = {w[3], w[2], w[1], w[0]};
        memcpy(w, reversed, sizeof reversed);
    }
}

static csh open_handle(const struct isa *isa)
{
    csh handle = 0;
    cs_err err = cs_open((cs_arch)isa->cs_arch, (cs_mode)isa->cs_mode, &handle);
    TEST_ASSERT_EQUAL_MESSAGE(CS_ERR_OK, err, cs_strerror(err));
    cs_option(handle, CS_OPT_DETAIL, CS_OPT_ON);
    return handle;
}

/* Decodes one row; prints what is wrong with it and returns false. */
static bool row_check(const struct isa *isa, csh handle, const struct row *row,
                      const char *path, unsigned line_no)
{
    struct effect effect;
    char assembly[160] = "", text[LINE_CAP];
    unsigned length = isa->decode(handle, row->code, row->bytes, 0x10000,
                                  &effect, assembly, sizeof assembly);
    isa_effect_print(isa, &effect, text, sizeof text);
    if (length != row->bytes) {
        printf("%s:%u: %s: length %u, expected %zu\n", path, line_no,
               row->assembly, length, row->bytes);
        return false;
    }
    if (strcmp(text, row->effect) != 0) {
        printf("%s:%u: %s (decoded as %s)\n    expected %s\n    got      %s\n",
               path, line_no, row->assembly, assembly, row->effect, text);
        return false;
    }
    if (!assembly[0])
        printf("%s:%u: %s: no text\n", path, line_no, row->assembly);
    return assembly[0] != '\0';
}

void isa_table_check(const struct isa *isa, const char *path, bool swap)
{
    FILE *file = fopen(path, "r");
    TEST_ASSERT_NOT_NULL_MESSAGE(file, path);
    csh handle = open_handle(isa);
    char line[LINE_CAP];
    struct row row;
    unsigned failures = 0;
    for (unsigned n = 1; fgets(line, sizeof line, file); n++) {
        if (failures == SHOWN_FAILURES)
            break;
        if (!row_parse(line, &row))
            continue;
        if (swap)
            swap_words(&row);
        failures += !row_check(isa, handle, &row, path, n);
    }
    cs_close(&handle);
    fclose(file);
    TEST_ASSERT_EQUAL_UINT_MESSAGE(0, failures, "wrong rows");
}

unsigned isa_table_size(const char *path)
{
    FILE *file = fopen(path, "r");
    TEST_ASSERT_NOT_NULL_MESSAGE(file, path);
    char line[LINE_CAP];
    struct row row;
    unsigned n = 0;
    while (fgets(line, sizeof line, file))
        n += row_parse(line, &row);
    fclose(file);
    return n;
}

void isa_table_reassemble(const char *path)
{
    if (system("llvm-mc-19 --version >/dev/null 2>&1") != 0)
        TEST_IGNORE_MESSAGE("llvm-mc-19 is missing");
    char command[512];
    snprintf(command, sizeof command,
             "tests/isa/assemble.sh %s | diff %s - >&2", path, path);
    TEST_ASSERT_EQUAL_MESSAGE(0, system(command), "bytes do not match");
}

unsigned isa_table_expect(const struct isa *isa, const uint8_t *code,
                          size_t bytes, const char *effect)
{
    csh handle = open_handle(isa);
    struct effect decoded;
    char assembly[160] = "", text[LINE_CAP];
    unsigned length = isa->decode(handle, code, bytes, 0x10000, &decoded,
                                  assembly, sizeof assembly);
    cs_close(&handle);
    isa_effect_print(isa, &decoded, text, sizeof text);
    TEST_ASSERT_EQUAL_STRING(effect, text);
    return length;
}

/* --- Sweeps --- */

static unsigned sweep(const struct isa *isa, const uint8_t *code, size_t bytes)
{
    csh handle = open_handle(isa);
    unsigned n_unknown = 0;
    for (size_t at = 0; at < bytes;) {
        struct effect effect;
        char text[160] = "";
        unsigned length = isa->decode(handle, code + at, bytes - at, at,
                                      &effect, text, sizeof text);
        if (!length)
            break;
        if (effect.kind == EFFECT_UNKNOWN) {
            for (unsigned i = 0; i < length; i++)
                printf("%02x", code[at + i]);
            printf(" %s\n", text);
            n_unknown++;
        }
        at += length;
    }
    cs_close(&handle);
    return n_unknown;
}

int isa_sweep_main(const struct isa *const *isas, char **argv)
{
    enum { CAP = 64 << 20 };
    while (*isas && strcmp((*isas)->name, argv[1]) != 0)
        isas++;
    FILE *file = *isas ? fopen(argv[2], "rb") : NULL;
    uint8_t *code = file ? malloc(CAP) : NULL;
    if (!code) {
        fprintf(stderr, "%s: no such file or instruction set\n", argv[0]);
        if (file)
            fclose(file);
        return 2;
    }
    size_t bytes = fread(code, 1, CAP, file);
    fclose(file);
    unsigned n_unknown = sweep(*isas, code, bytes);
    free(code);
    return n_unknown > 0;
}
