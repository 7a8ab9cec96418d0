/* Litmus tests of x86: the dialects X86_64, and X86 with its names of 32 bits
 * and Intel's order of operands. */
#include "hw/isa/x86_64/x86_64.h"
#include "hw/litmus_dialect.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const struct width {
    unsigned bytes;
    char suffix; /* of mov */
    const char *names[16];
} widths[] = {
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

static int find(const char *name, unsigned *bytes)
{
    name += *name == '%';
    for (const struct width *w = widths; w->bytes; w++)
        for (int r = 0; r < 16; r++)
            if (strcasecmp(name, w->names[r]) == 0) {
                *bytes = w->bytes;
                return r;
            }
    return -1;
}

static const char *name(unsigned r)
{
    return widths[0].names[r];
}

static void load(FILE *out, unsigned r, const char *symbol, int64_t number)
{
    fprintf(out, "movabsq $%s%s%" PRId64 ",%%%s\n", symbol ? symbol : "",
            symbol ? "+" : "", number, name(r));
}

static void base(FILE *out, unsigned base)
{
    (void)out, (void)base;
}

static void save(FILE *out, unsigned r, unsigned base, uint32_t i,
                 unsigned bytes)
{
    (void)base;
    const struct width *w = widths;
    while (w->bytes != bytes)
        w++;
    if (bytes < 8)
        fprintf(out, "movq $0,slots+%u(%%rip)\n", i * 8);
    fprintf(out, "mov%c %%%s,slots+%u(%%rip)\n", w->suffix, w->names[r], i * 8);
}

static void restore(FILE *out, size_t stack)
{
    fprintf(out, "cld\nmovq __hwc_mailbox+%zu(%%rip),%%rsp\nandq $-16,%%rsp\n",
            stack);
}

static void observe(FILE *out, uint32_t term, uint32_t i)
{
    fprintf(out,
            "leaq name%u(%%rip),%%rdi\nmovq slots+%u(%%rip),%%rsi\n"
            "call hwc_observe\n",
            term, i * 8);
}

static void tell(FILE *out, int op, const char *symbol)
{
    fprintf(out,
            "xorl %%edi,%%edi\nmovl $%d,%%esi\nleaq %s(%%rip),%%rdx\n"
            "xorl %%ecx,%%ecx\nmovl $1,%%r8d\ncall __hwc_tell\n",
            op, symbol);
}

static void enter(FILE *out)
{
    fprintf(out, "subq $8,%%rsp\n");
}

static void finish(FILE *out)
{
    fprintf(out, "xorl %%edi,%%edi\ncall __hwc_finish\n");
}

/* herd writes compare-and-exchange with memory first, as Intel does. */
static bool swap_operands(char *line, size_t cap, FILE *out)
{
    (void)cap, (void)out;
    char *mnemonic = strcasestr(line, "cmpxchg");
    char *comma = mnemonic ? strchr(mnemonic, ',') : NULL;
    if (!comma || !strchr(mnemonic, '(') || strchr(mnemonic, '(') > comma)
        return false;
    char *from = mnemonic + strcspn(mnemonic, " ");
    from += strspn(from, " ");
    char swapped[500];
    snprintf(swapped, sizeof swapped, "%s,%.*s", comma + 1, (int)(comma - from),
             from);
    memcpy(from, swapped, strlen(swapped) + 1);
    return false;
}

/* LLVM does not know all names in upper case, and herd's jlt and jgt not at
 * all. */
static void write_att(const char *line, const char *at, size_t n, FILE *out)
{
    (void)line;
    if (n == 3 &&
        (strncasecmp(at, "jlt", 3) == 0 || strncasecmp(at, "jgt", 3) == 0))
        n = 2;
    litmus_dialect_copy(at, n ? n : 1, true, out);
}

/* Does "ptr" stand before the operand? */
static bool has_size(const char *line, const char *operand)
{
    while (operand > line && operand[-1] == ' ')
        operand--;
    return operand - line > 3 && strncasecmp(operand - 3, "ptr", 3) == 0;
}

static void write_intel(const char *line, const char *at, size_t n, FILE *out)
{
    if (n == 0 && *at == '[')
        fputs(has_size(line, at) ? "[" : "dword ptr [", out);
    else if (n > 0 || *at != '$')
        write_att(line, at, n, out);
}

#define X86_DIALECT                                                          \
    .isa = "x86_64", .n_registers = 16, .find = find, .head = "",            \
    .clear = "movl $1,%eax\ntestl %eax,%eax\n", .jump = "jmp", .load = load, \
    .base = base, .save = save, .restore = restore, .observe = observe,      \
    .tell = tell, .enter = enter, .finish = finish, .names_memory = true,    \
    .keeps_sign = true, .jumps = jumps, .calls = calls, .returns = returns

static const char *const jumps[] = {"j", "b", NULL};
static const char *const calls[] = {"call", "push", "pushq", NULL};
static const char *const returns[] = {"ret", "retq", NULL};

static const struct litmus_dialect x86_64 = {
    .name = "X86_64",
    .before = "",
    .after = "",
    .rewrite = swap_operands,
    .write = write_att,
    X86_DIALECT,
};

static const struct litmus_dialect x86 = {
    .name = "X86",
    .upper = true,
    .before = ".intel_syntax noprefix\n",
    .after = ".att_syntax prefix\n",
    .write = write_intel,
    X86_DIALECT,
};

const struct litmus_dialect *const x86_dialects[] = {&x86_64, &x86, NULL};
