#include "frontend/litmus/litmus_dialect.h"

#include "hw/qemu/wire.h"

#include <ctype.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- Power */

static int find_numbered(const char *name, char letter, long n)
{
    char *end;
    if (tolower((unsigned char)name[0]) != letter ||
        !isdigit((unsigned char)name[1]))
        return -1;
    long r = strtol(name + 1, &end, 10);
    return *end || r >= n ? -1 : (int)r;
}

static int ppc_find(const char *name, unsigned *bytes)
{
    *bytes = 8;
    return find_numbered(name, 'r', 32);
}

static const char *ppc_name(unsigned r)
{
    static _Thread_local char name[8];
    snprintf(name, sizeof name, "r%u", r);
    return name;
}

static void ppc_load(FILE *out, unsigned r, const char *symbol, int64_t number)
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

static void ppc_jump(FILE *out, const char *label)
{
    fprintf(out, "b %s\n", label);
}

static void ppc_base(FILE *out, unsigned base)
{
    ppc_load(out, base, "slots", 0);
}

static void ppc_save(FILE *out, unsigned r, unsigned base, uint32_t i,
                     unsigned bytes)
{
    (void)bytes;
    fprintf(out, "std %u,%u(%u)\n", r, i * 8, base);
}

static void ppc_restore(FILE *out)
{
    ppc_load(out, 9, "__hwc_mailbox", 0);
    fprintf(out,
            "ld 1,%zu(9)\nli 0,0\nstdu 0,-64(1)\n"
            "lis 2,.TOC.@ha\naddi 2,2,.TOC.@l\n",
            offsetof(struct wire_mailbox, stack));
}

static void ppc_observe(FILE *out, uint32_t term, uint32_t i)
{
    char name[24];
    snprintf(name, sizeof name, "name%u", term);
    ppc_load(out, 3, name, 0);
    ppc_load(out, 4, "slots", 0);
    fprintf(out, "ld 4,%u(4)\nbl hwc_observe\nnop\n", i * 8);
}

static void ppc_tell(FILE *out, int op, const char *symbol)
{
    fprintf(out, "li 3,0\nli 4,%d\n", op);
    ppc_load(out, 5, symbol, 0);
    fprintf(out, "li 6,0\nli 7,1\nbl __hwc_tell\nnop\n");
}

static void ppc_choose(FILE *out, uint32_t n, const char *prefix)
{
    fprintf(out, "li 3,0\nli 4,%u\nbl hwc_choose\nnop\n", n - 1);
    for (uint32_t i = 1; i < n; i++)
        fprintf(out, "cmpwi 3,%u\nbeq %s%u\n", i, prefix, i);
}

/* Reserves something else, which is constant; vector registers are ours. */
static void ppc_forget(FILE *out)
{
    fprintf(out, "mtvsrd 0,3\n");
    ppc_load(out, 3, "main", 0);
    fprintf(out, "lwarx 3,0,3\nmfvsrd 3,0\n");
}

static const char *const ppc_conditionals[] = {"stwcx.", "stdcx.", "stbcx.",
                                               "sthcx.", NULL};

static void ppc_enter(FILE *out)
{
    (void)out;
}

static void ppc_finish(FILE *out)
{
    fprintf(out, "li 3,0\nbl __hwc_finish\nnop\n");
}

const struct litmus_dialect litmus_dialect_ppc = {
    .n_registers = 32,
    .find = ppc_find,
    .name = ppc_name,
    .head = ".abiversion 2\n",
    .clear = "li %r0,0\nmtcrf 255,%r0\nmtxer %r0\n",
    .load = ppc_load,
    .jump = ppc_jump,
    .base = ppc_base,
    .save = ppc_save,
    .restore = ppc_restore,
    .observe = ppc_observe,
    .tell = ppc_tell,
    .choose = ppc_choose,
    .forget = ppc_forget,
    .conditionals = ppc_conditionals,
    .retry = "bne",
    .enter = ppc_enter,
    .finish = ppc_finish,
};

/* ---- AArch64 */

static int arm_find(const char *name, unsigned *bytes)
{
    *bytes = tolower((unsigned char)name[0]) == 'w' ? 4 : 8;
    return find_numbered(name, *bytes == 4 ? 'w' : 'x', 31);
}

static const char *arm_name(unsigned r)
{
    static _Thread_local char name[8];
    snprintf(name, sizeof name, "x%u", r);
    return name;
}

static void arm_load(FILE *out, unsigned r, const char *symbol, int64_t number)
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

static void arm_base(FILE *out, unsigned base)
{
    arm_load(out, base, "slots", 0);
}

static void arm_save(FILE *out, unsigned r, unsigned base, uint32_t i,
                     unsigned bytes)
{
    if (bytes == 4)
        fprintf(out, "str xzr,[x%u,#%u]\n", base, i * 8);
    fprintf(out, "str %c%u,[x%u,#%u]\n", bytes == 4 ? 'w' : 'x', r, base,
            i * 8);
}

static void arm_restore(FILE *out)
{
    (void)out;
}

static void arm_observe(FILE *out, uint32_t term, uint32_t i)
{
    char name[24];
    snprintf(name, sizeof name, "name%u", term);
    arm_load(out, 0, name, 0);
    arm_load(out, 1, "slots", i * 8);
    fprintf(out, "ldr x1,[x1]\nbl hwc_observe\n");
}

static void arm_tell(FILE *out, int op, const char *symbol)
{
    fprintf(out, "mov x0,#0\nmov x1,#%d\n", op);
    arm_load(out, 2, symbol, 0);
    fprintf(out, "mov x3,#0\nmov x4,#1\nbl __hwc_tell\n");
}

static void arm_choose(FILE *out, uint32_t n, const char *prefix)
{
    fprintf(out, "mov x0,#0\nmov x1,#%u\nbl hwc_choose\n", n - 1);
    for (uint32_t i = 1; i < n; i++)
        fprintf(out, "cmp x0,#%u\nb.eq %s%u\n", i, prefix, i);
}

static void arm_forget(FILE *out)
{
    fprintf(out, "clrex\n");
}

static const char *const arm_conditionals[] = {"stxr", "stlxr", "stxp", "stlxp",
                                               NULL};

static void arm_finish(FILE *out)
{
    fprintf(out, "mov x0,#0\nbl __hwc_finish\n");
}

const struct litmus_dialect litmus_dialect_arm = {
    .n_registers = 31,
    .find = arm_find,
    .name = arm_name,
    .head = ".arch armv8.9-a\n.arch_extension lse\n.arch_extension rcpc\n"
            ".arch_extension lse128\n.arch_extension rcpc3\n",
    .clear = "msr nzcv,xzr\n",
    .load = arm_load,
    .jump = ppc_jump,
    .base = arm_base,
    .save = arm_save,
    .restore = arm_restore,
    .observe = arm_observe,
    .tell = arm_tell,
    .choose = arm_choose,
    .forget = arm_forget,
    .conditionals = arm_conditionals,
    .has_status = true,
    .retry = "cbnz",
    .enter = ppc_enter,
    .finish = arm_finish,
};

/* ---- x86-64 */

static const struct x86_width {
    unsigned bytes;
    char suffix; /* of mov */
    const char *names[16];
} x86_widths[] = {
    {8,
     'q',
     {"rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "rsp", "r8", "r9", "r10",
      "r11", "r12", "r13", "r14", "r15"}},
    {4,
     'l',
     {"eax", "ebx", "ecx", "edx", "esi", "edi", "ebp", "esp", "r8d", "r9d",
      "r10d", "r11d", "r12d", "r13d", "r14d", "r15d"}},
    {2,
     'w',
     {"ax", "bx", "cx", "dx", "si", "di", "bp", "sp", "r8w", "r9w", "r10w",
      "r11w", "r12w", "r13w", "r14w", "r15w"}},
    {1,
     'b',
     {"al", "bl", "cl", "dl", "sil", "dil", "bpl", "spl", "r8b", "r9b", "r10b",
      "r11b", "r12b", "r13b", "r14b", "r15b"}},
    {0, 0, {NULL}},
};

static int x86_find(const char *name, unsigned *bytes)
{
    name += *name == '%';
    for (const struct x86_width *w = x86_widths; w->bytes; w++)
        for (int r = 0; r < 16; r++)
            if (strcasecmp(name, w->names[r]) == 0) {
                *bytes = w->bytes;
                return r;
            }
    return -1;
}

static const char *x86_name(unsigned r)
{
    return x86_widths[0].names[r];
}

static void x86_load(FILE *out, unsigned r, const char *symbol, int64_t number)
{
    fprintf(out, "movabsq $%s%s%" PRId64 ",%%%s\n", symbol ? symbol : "",
            symbol ? "+" : "", number, x86_name(r));
}

static void x86_jump(FILE *out, const char *label)
{
    fprintf(out, "jmp %s\n", label);
}

static void x86_base(FILE *out, unsigned base)
{
    (void)out, (void)base;
}

static void x86_save(FILE *out, unsigned r, unsigned base, uint32_t i,
                     unsigned bytes)
{
    (void)base;
    const struct x86_width *w = x86_widths;
    while (w->bytes != bytes)
        w++;
    if (bytes < 8)
        fprintf(out, "movq $0,slots+%u(%%rip)\n", i * 8);
    fprintf(out, "mov%c %%%s,slots+%u(%%rip)\n", w->suffix, w->names[r], i * 8);
}

static void x86_restore(FILE *out)
{
    fprintf(out, "cld\nmovq __hwc_mailbox+%zu(%%rip),%%rsp\nandq $-16,%%rsp\n",
            offsetof(struct wire_mailbox, stack));
}

static void x86_observe(FILE *out, uint32_t term, uint32_t i)
{
    fprintf(out,
            "leaq name%u(%%rip),%%rdi\nmovq slots+%u(%%rip),%%rsi\n"
            "call hwc_observe\n",
            term, i * 8);
}

static void x86_tell(FILE *out, int op, const char *symbol)
{
    fprintf(out,
            "xorl %%edi,%%edi\nmovl $%d,%%esi\nleaq %s(%%rip),%%rdx\n"
            "xorl %%ecx,%%ecx\nmovl $1,%%r8d\ncall __hwc_tell\n",
            op, symbol);
}

static void x86_enter(FILE *out)
{
    fprintf(out, "subq $8,%%rsp\n");
}

static void x86_finish(FILE *out)
{
    fprintf(out, "xorl %%edi,%%edi\ncall __hwc_finish\n");
}

const struct litmus_dialect litmus_dialect_x86 = {
    .n_registers = 16,
    .find = x86_find,
    .name = x86_name,
    .head = "",
    .clear = "movl $1,%eax\ntestl %eax,%eax\n",
    .load = x86_load,
    .jump = x86_jump,
    .base = x86_base,
    .save = x86_save,
    .restore = x86_restore,
    .observe = x86_observe,
    .tell = x86_tell,
    .enter = x86_enter,
    .finish = x86_finish,
};
