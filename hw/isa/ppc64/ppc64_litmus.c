/* Litmus tests of Power: the dialect PPC. */
#include "hw/isa/ppc64/ppc64.h"
#include "hw/litmus_dialect.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>
#include <strings.h>

static int find(const char *name, unsigned *bytes)
{
    *bytes = 8;
    return litmus_dialect_numbered(name, 'r', 32);
}

static void load(FILE *out, unsigned r, const char *symbol, int64_t number)
{
    if (symbol)
        fprintf(out, "lis %u,%s@h+%" PRId64 "\nori %u,%u,%s@l+%" PRId64 "\n", r,
                symbol, number, r, r, symbol, number);
    else if (number == (int16_t)number)
        fprintf(out, "li %u,%d\n", r, (int)number);
    else
        fprintf(out,
                "lis %u,%d\nori %u,%u,%u\nsldi %u,%u,32\noris %u,%u,%u\n"
                "ori %u,%u,%u\n",
                r, (int16_t)(number >> 48), r, r,
                (unsigned)(number >> 32) & 0xffff, r, r, r, r,
                (unsigned)(number >> 16) & 0xffff, r, r,
                (unsigned)number & 0xffff);
}

static void base(FILE *out, unsigned base)
{
    load(out, base, "slots", 0);
}

static void save(FILE *out, unsigned r, unsigned base, uint32_t i,
                 unsigned bytes)
{
    (void)bytes;
    fprintf(out, "std %u,%u(%u)\n", r, i * 8, base);
}

static void restore(FILE *out, size_t stack)
{
    load(out, 9, "__hwc_mailbox", 0);
    fprintf(out,
            "ld 1,%zu(9)\nli 0,0\nstdu 0,-64(1)\n"
            "lis 2,.TOC.@ha\naddi 2,2,.TOC.@l\n",
            stack);
}

static void observe(FILE *out, uint32_t term, uint32_t i)
{
    char name[24];
    snprintf(name, sizeof name, "name%u", term);
    load(out, 3, name, 0);
    load(out, 4, "slots", 0);
    fprintf(out, "ld 4,%u(4)\nbl hwc_observe\nnop\n", i * 8);
}

static void tell(FILE *out, int op, const char *symbol)
{
    fprintf(out, "li 3,0\nli 4,%d\n", op);
    load(out, 5, symbol, 0);
    fprintf(out, "li 6,0\nli 7,1\nbl __hwc_tell\nnop\n");
}

static void choose(FILE *out, uint32_t n, const char *prefix)
{
    fprintf(out, "li 3,0\nli 4,%u\nbl hwc_choose\nnop\n", n - 1);
    for (uint32_t i = 1; i < n; i++)
        fprintf(out, "cmpwi 3,%u\nbeq %s%u\n", i, prefix, i);
}

/* Reserves something else, which is constant; vector registers are ours. */
static void forget(FILE *out)
{
    fprintf(out, "mtvsrd 0,3\n");
    load(out, 3, "main", 0);
    fprintf(out, "lwarx 3,0,3\nmfvsrd 3,0\n");
}

static const char *const conditionals[] = {"stwcx.", "stdcx.", "stbcx.",
                                           "sthcx.", NULL};

static void finish(FILE *out)
{
    fprintf(out, "li 3,0\nbl __hwc_finish\nnop\n");
}

/* r4 or cr7, without a percent sign. */
static bool is_register(const char *word, size_t n)
{
    size_t letters = strncasecmp(word, "cr", 2) == 0 ? 2 : 1;
    if (tolower((unsigned char)word[letters - 1]) != 'r' || n == letters ||
        n > letters + 2)
        return false;
    for (size_t i = letters; i < n; i++)
        if (!isdigit((unsigned char)word[i]))
            return false;
    return true;
}

/* LLVM wants the sign, herd does not have it. */
static void write(const char *line, const char *at, size_t n, FILE *out)
{
    (void)line;
    if (is_register(at, n))
        fputc('%', out);
    litmus_dialect_copy(at, n ? n : 1, true, out);
}

/* Other fields of the condition register than the first, and loops that
 * count. */
static bool is_opaque(const char *line)
{
    return strstr(line, "cr") || strncasecmp(line, "bd", 2) == 0;
}

static const struct litmus_dialect dialect = {
    .name = "PPC",
    .isa = "ppc64le",
    .n_registers = 32,
    .find = find,
    .head = ".abiversion 2\n",
    .clear = "li %r0,0\nmtcrf 255,%r0\nmtxer %r0\n",
    .jump = "b",
    .load = load,
    .base = base,
    .save = save,
    .restore = restore,
    .observe = observe,
    .tell = tell,
    .finish = finish,
    .before = "",
    .after = "",
    .write = write,
    .is_register = is_register,
    .jumps = (const char *const[]){"b", NULL},
    .open_jumps =
        (const char *const[]){"bl", "blr", "bctr", "bctrl", "blrl", NULL},
    .calls = (const char *const[]){"bl", "bcl", "bctrl", "mtlr", NULL},
    .returns = (const char *const[]){"blr", NULL},
    .conditionals = conditionals,
    .retry = "bne",
    .choose = choose,
    .forget = forget,
    .plain = "nop neg add sub mul and sync hwsync lwsync isync eieio li lis mr "
             "addi addis subf or xor nor nand slwi srwi sldi srdi extsw lbz "
             "lhz lha lwz lwa ld lbzx lhzx lwzx ldx lwax lbarx lharx lwarx "
             "ldarx",
    .sets_flags = "and. or. xor. add. subf. mr. slwi. srwi.",
    .asks_flags = "",
    .compares = "cmp cmpw cmpwi cmplw cmplwi cmpd cmpdi cmpld cmpldi",
    .stores = (const char *const[]){"st", "dcb", NULL},
    .vectors = "bdfhqsvz",
    .is_opaque = is_opaque,
};

const struct litmus_dialect *const ppc_dialects[] = {&dialect, NULL};
