/* Litmus tests of AArch64. */
#include "hw/isa/aarch64/aarch64.h"
#include "hw/litmus_dialect.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int find(const char *name, unsigned *bytes)
{
    *bytes = tolower((unsigned char)name[0]) == 'w' ? 4 : 8;
    return litmus_dialect_numbered(name, *bytes == 4 ? 'w' : 'x', 31);
}

static void load(FILE *out, unsigned r, const char *symbol, int64_t number)
{
    if (symbol)
        fprintf(out,
                "movz x%u,#:abs_g1:%s+%" PRId64 "\nmovk x%u,#:abs_g0_nc:%s+"
                "%" PRId64 "\n",
                r, symbol, number, r, symbol, number);
    else
        for (unsigned i = 0; i < 4; i++)
            if (i == 0 || (uint64_t)number >> i * 16 & 0xffff)
                fprintf(out, "mov%c x%u,#%u,lsl #%u\n", i ? 'k' : 'z', r,
                        (unsigned)((uint64_t)number >> i * 16 & 0xffff),
                        i * 16);
}

static void base(FILE *out, unsigned base)
{
    load(out, base, "slots", 0);
}

static void save(FILE *out, unsigned r, unsigned base, uint32_t i,
                 unsigned bytes)
{
    if (bytes == 4)
        fprintf(out, "str xzr,[x%u,#%u]\n", base, i * 8);
    fprintf(out, "str %c%u,[x%u,#%u]\n", bytes == 4 ? 'w' : 'x', r, base,
            i * 8);
}

static void observe(FILE *out, uint32_t term, uint32_t i)
{
    char name[24];
    snprintf(name, sizeof name, "name%u", term);
    load(out, 0, name, 0);
    load(out, 1, "slots", i * 8);
    fprintf(out, "ldr x1,[x1]\nbl hwc_observe\n");
}

static void tell(FILE *out, int op, const char *symbol)
{
    fprintf(out, "mov x0,#0\nmov x1,#%d\n", op);
    load(out, 2, symbol, 0);
    fprintf(out, "mov x3,#0\nmov x4,#1\nbl __hwc_tell\n");
}

static void choose(FILE *out, uint32_t n, const char *prefix)
{
    fprintf(out, "mov x0,#0\nmov x1,#%u\nbl hwc_choose\n", n - 1);
    for (uint32_t i = 1; i < n; i++)
        fprintf(out, "cmp x0,#%u\nb.eq %s%u\n", i, prefix, i);
}

static void forget(FILE *out)
{
    fprintf(out, "clrex\n");
}

static const char *const conditionals[] = {"stxr", "stlxr", "stxp", "stlxp",
                                           NULL};

static void finish(FILE *out)
{
    fprintf(out, "mov x0,#0\nbl __hwc_finish\n");
}

/* mov rd, #value; false: one instruction does. */
static bool emit_constant(const char *rd, uint64_t value, FILE *out)
{
    unsigned n = tolower((unsigned char)rd[0]) == 'x' ? 4 : 2, zero = 0,
             ones = 0;
    for (unsigned i = 0; i < n; i++) {
        zero += (value >> 16 * i & 0xffff) == 0;
        ones += (value >> 16 * i & 0xffff) == 0xffff;
    }
    if (zero + 1 >= n || ones + 1 >= n)
        return false;
    fprintf(out, "movz %s, #%u\n", rd, (unsigned)(value & 0xffff));
    for (unsigned i = 1; i < n; i++)
        fprintf(out, "movk %s, #%u, lsl #%u\n", rd,
                (unsigned)(value >> 16 * i & 0xffff), 16 * i);
    return true;
}

/* AArch64 constants that herd takes, and no encoding has; false: it is none of
 * them. */
static bool rewrite(char *line, size_t cap, FILE *out)
{
    (void)cap;
    char op[8], rd[8], rn[8];
    long long value;
    int end = 0;
    if (sscanf(line, "%7[A-Za-z] %7[A-Za-z0-9] , #%lli %n", op, rd, &value,
               &end) == 3)
        return line[end] == '\0' && strcasecmp(op, "mov") == 0 &&
               emit_constant(rd, (uint64_t)value, out);
    if (sscanf(line, "%7[A-Za-z] %7[A-Za-z0-9] , %7[A-Za-z0-9] , #%lli %n", op,
               rd, rn, &value, &end) != 4 ||
        line[end] != '\0')
        return false;
    bool adds = strcasecmp(op, "add") == 0 || strcasecmp(op, "sub") == 0;
    bool joins = strcasecmp(op, "and") == 0 || strcasecmp(op, "orr") == 0 ||
                 strcasecmp(op, "eor") == 0;
    if (joins && value == 0)
        fprintf(out, "%s %s, %s, %czr\n", op, rd, rn,
                tolower((unsigned char)rd[0]));
    else if (adds && value > 0xfff && value < 1 << 24 && value & 0xfff)
        fprintf(out, "%s %s, %s, #%lld, lsl #12\n%s %s, %s, #%lld\n", op, rd,
                rn, value >> 12, op, rd, rd, value & 0xfff);
    else
        return false;
    return true;
}

/* x2 before `, sxtw`: LLVM wants to hear that half of the register counts. */
static bool is_extended(const char *word, size_t n)
{
    const char *next = word + n;
    unsigned bytes;
    char name[8] = "";
    memcpy(name, word, n < sizeof name ? n : 0);
    next += strspn(next, " ");
    if (*next++ != ',' || find(name, &bytes) < 0)
        return false;
    next += strspn(next, " ");
    return bytes == 8 && (strncasecmp(next, "sxtw", 4) == 0 ||
                          strncasecmp(next, "uxtw", 4) == 0);
}

static void write(const char *line, const char *at, size_t n, FILE *out)
{
    (void)line;
    if (n > 0 && is_extended(at, n))
        fprintf(out, "w%.*s", (int)n - 1, at + 1);
    else
        litmus_dialect_copy(at, n ? n : 1, false, out);
}

/* They write the address back. */
static bool is_opaque(const char *line)
{
    return strchr(line, '!') || strstr(line, "],");
}

static const struct litmus_dialect dialect = {
    .name = "AArch64",
    .isa = "aarch64",
    .n_registers = 31,
    .find = find,
    .head = ".arch armv8.9-a\n.arch_extension lse\n.arch_extension rcpc\n"
            ".arch_extension lse128\n.arch_extension rcpc3\n",
    .clear = "msr nzcv,xzr\n",
    .jump = "b",
    .load = load,
    .base = base,
    .save = save,
    .observe = observe,
    .tell = tell,
    .finish = finish,
    .upper = true,
    .before = "",
    .after = "",
    .rewrite = rewrite,
    .write = write,
    .jumps = (const char *const[]){"b", "cb", "tb", NULL},
    /* bic, bfi, bsl: no condition starts so */
    .no_jumps = (const char *const[]){"bi", "bf", "bs", NULL},
    .open_jumps = (const char *const[]){"bl", "blr", "br", "ret", NULL},
    .calls = (const char *const[]){"bl", NULL},
    .link = "x30",
    .returns = (const char *const[]){"ret", NULL},
    .conditionals = conditionals,
    .has_status = true,
    .retry = "cbnz",
    .choose = choose,
    .forget = forget,
    .plain = "nop dmb dsb isb mov movz movn mvn neg add sub mul and orr eor "
             "orn eon bic lsl lsr asr ror sxtb sxth sxtw uxtb uxth ldr ldrb "
             "ldrh ldrsw ldur ldar ldarb ldarh ldapr ldaprb ldaprh ldxr ldxrb "
             "ldxrh ldaxr ldaxrb ldaxrh",
    .sets_flags = "adds subs ands",
    .asks_flags = "csel cset csetm csinc csinv csneg cinc",
    .compares = "cmp cmn tst",
    .stores = (const char *const[]){"st", "swp", "cas", "ldadd", "ldclr",
                                    "ldset", "ldeo", "ldsm", "ldum", NULL},
    .vectors = "bdfhqsvz",
    .is_opaque = is_opaque,
};

const struct litmus_dialect *const a64_dialects[] = {&dialect, NULL};
