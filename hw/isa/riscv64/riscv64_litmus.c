/* Litmus tests of RISC-V. */
#include "hw/isa/riscv64/riscv64.h"
#include "hw/litmus_dialect.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

/* By number or by the name that the ABI gives. */
static int find(const char *name, unsigned *bytes)
{
    *bytes = 8;
    for (int r = RV_X0; r < RV_F0; r++)
        if (strcasecmp(name, rv_reg_name((reg_id)r)) == 0)
            return r;
    if (strcasecmp(name, "fp") == 0)
        return RV_S0;
    return litmus_dialect_numbered(name, 'x', 32);
}

/* Symbols lie below 2 GiB. */
static void load(FILE *out, unsigned r, const char *symbol, int64_t number)
{
    if (r == RV_X0)
        return;
    if (symbol)
        fprintf(out,
                "lui x%u,%%hi(%s+%" PRId64 ")\naddi x%u,x%u,%%lo(%s+%" PRId64
                ")\n",
                r, symbol, number, r, r, symbol, number);
    else
        fprintf(out, "li x%u,%" PRId64 "\n", r, number);
}

static void base(FILE *out, unsigned base)
{
    load(out, base, "slots", 0);
}

static void save(FILE *out, unsigned r, unsigned base, uint32_t i,
                 unsigned bytes)
{
    (void)bytes;
    fprintf(out, "sd x%u,%u(x%u)\n", r, i * 8, base);
}

static void restore(FILE *out, size_t stack)
{
    load(out, RV_T0, "__hwc_mailbox", 0);
    fprintf(out, "ld sp,%zu(t0)\n", stack);
}

static void observe(FILE *out, uint32_t term, uint32_t i)
{
    char name[24];
    snprintf(name, sizeof name, "name%u", term);
    load(out, RV_A0, name, 0);
    load(out, RV_A0 + 1, "slots", i * 8);
    fprintf(out, "ld a1,0(a1)\ncall hwc_observe\n");
}

static void tell(FILE *out, int op, const char *symbol)
{
    fprintf(out, "li a0,0\nli a1,%d\n", op);
    load(out, RV_A0 + 2, symbol, 0);
    fprintf(out, "li a3,0\nli a4,1\ncall __hwc_tell\n");
}

static void finish(FILE *out)
{
    fprintf(out, "li a0,0\ncall __hwc_finish\n");
}

static void choose(FILE *out, uint32_t n, const char *prefix)
{
    fprintf(out, "li a0,0\nli a1,%u\ncall hwc_choose\n", n - 1);
    for (uint32_t i = 1; i < n; i++)
        fprintf(out, "li a1,%u\nbeq a0,a1,%s%u\n", i, prefix, i);
}

/* Reserves something else, which is constant; f31 is ours. */
static void forget(FILE *out)
{
    fprintf(out, "fmv.d.x f31,t0\n");
    load(out, RV_T0, "main", 0);
    fprintf(out, "lr.w t0,(t0)\nfmv.x.d t0,f31\n");
}

/* herd puts a point between the annotations. */
static bool rewrite(char *line, size_t cap, FILE *out)
{
    (void)cap, (void)out;
    char *both = strcasestr(line, ".aq.rl");
    if (both)
        memmove(both + 3, both + 4, strlen(both + 4) + 1);
    return false;
}

static void write(const char *line, const char *at, size_t n, FILE *out)
{
    (void)line;
    litmus_dialect_copy(at, n ? n : 1, true, out);
}

static const struct litmus_dialect dialect = {
    .name = "RISCV",
    .isa = "riscv64",
    .n_registers = 32,
    .find = find,
    .head = "",
    .clear = "fscsr x0\n",
    .jump = "j",
    .load = load,
    .base = base,
    .save = save,
    .restore = restore,
    .observe = observe,
    .tell = tell,
    .finish = finish,
    .before = "",
    .after = "",
    .rewrite = rewrite,
    .write = write,
    .jumps = (const char *const[]){"b", "j", NULL},
    /* bclr, bext, binv, bset */
    .no_jumps = (const char *const[]){"bc", "bex", "bi", "bs", NULL},
    .open_jumps =
        (const char *const[]){"jal", "jalr", "jr", "ret", "call", NULL},
    .calls = (const char *const[]){"jal", "call", NULL},
    .link = "x1",
    .returns = (const char *const[]){"ret", NULL},
    .conditionals = (const char *const[]){"sc.", NULL},
    .has_status = true,
    .retry = "bne",
    .zero = "x0",
    .choose = choose,
    .forget = forget,
    .plain = "nop fence fence.i fence.tso li mv neg not add addi addiw addw "
             "sub subw and andi or ori xor xori sll slli sllw slliw srl srli "
             "sra srai slt slti sltu sltiu seqz snez sext.w mul lb lbu lh lhu "
             "lw lwu ld lr.w lr.w.aq lr.w.rl lr.w.aqrl lr.w.aq.rl lr.d "
             "lr.d.aq lr.d.rl lr.d.aqrl lr.d.aq.rl",
    .sets_flags = "",
    .asks_flags = "",
    .compares = "",
    .stores =
        (const char *const[]){"sb ", "sh ", "sw ", "sd ", "sc.", "amo", NULL},
    .vectors = "f",
};

const struct litmus_dialect *const rv_dialects[] = {&dialect, NULL};
