/* x86-64: capstone decodes; our table says what is done with the operands. */
#include "hw/isa/x86_64/x86_64.h"

#include <stdio.h>
#include <string.h>

const char *x86_reg_name(reg_id r)
{
    static const char names[X86_N_REGS][6] = {
        "rax",   "rcx",   "rdx",   "rbx",   "rsp",   "rbp",   "rsi",
        "rdi",   "r8",    "r9",    "r10",   "r11",   "r12",   "r13",
        "r14",   "r15",   "xmm0",  "xmm1",  "xmm2",  "xmm3",  "xmm4",
        "xmm5",  "xmm6",  "xmm7",  "xmm8",  "xmm9",  "xmm10", "xmm11",
        "xmm12", "xmm13", "xmm14", "xmm15", "flags", "fpu",   "mxcsr",
    };
    return r < X86_N_REGS ? names[r] : "?";
}

/* The class of an instruction. `is_vex` is set if it is an AVX form of an SSE
 * instruction, which has one more operand and does not read its first. */
static const struct x86_class *find_class(csh handle, const cs_insn *insn,
                                          bool *is_vex)
{
    const char *name = cs_insn_name(handle, insn->id);
    const struct x86_class *c = name ? x86_class_find(name) : NULL;
    *is_vex = name && !c && name[0] == 'v';
    return *is_vex ? x86_class_find(name + 1) : c;
}

/* NOLINTNEXTLINE(readability-function-size): the port has seven parameters */
unsigned x86_decode(size_t handle, const uint8_t *code, size_t bytes,
                    uint64_t pc, struct effect *out, char *text,
                    size_t text_cap)
{
    memset(out, 0, sizeof *out);
    if (text_cap)
        text[0] = '\0';
    if (!bytes)
        return 0;
    cs_insn *insn = NULL;
    if (!cs_disasm(handle, code, bytes, pc, 1, &insn)) {
        snprintf(text, text_cap, ".byte 0x%02x", code[0]);
        return 1;
    }
    unsigned length = insn->size;
    snprintf(text, text_cap, "%s%s%s", insn->mnemonic,
             insn->op_str[0] ? " " : "", insn->op_str);
    bool is_vex = false;
    const struct x86_class *c = find_class(handle, insn, &is_vex);
    if (c && insn->detail)
        x86_apply(c, insn, &insn->detail->x86, is_vex, out);
    cs_free(insn, 1);
    return length;
}
