/* What x86-64 instructions do with their operands (Intel SDM, volume 2).
 * Left out: MMX, AVX-512, gathers and masked moves, transactions, system
 * instructions, and those whose name is followed by another mode's. */
#include "hw/isa/x86_64/x86_64.h"

#include <string.h>

static const struct x86_class classes[] = {
    /* Moves. A 32-bit result clears the upper half, smaller ones keep it. */
    {"wr", 0, X86_PLAIN, "mov movabs movzx movsx movsxd movbe"},
    {"wr", X86_NT, X86_PLAIN, "movnti movntdq movntps movntpd movntsd movntss"},
    {"w-", 0, X86_LEA, "lea"},
    {"mm", 0, X86_XCHG, "xchg"},
    {"mm", X86_FW, X86_XADD, "xadd"},
    {"mr", X86_FW, X86_CMPXCHG, "cmpxchg"},
    {"m", X86_FM, X86_CMPXCHG_WIDE, "cmpxchg8b cmpxchg16b"},
    {"r", 0, X86_PUSH, "push"},
    {"w", 0, X86_POP, "pop"},
    {"", 0, X86_PUSHF, "pushf pushfq"},
    {"", 0, X86_POPF, "popf popfq"},
    {"m", 0, X86_PLAIN, "bswap not"},
    {"", 0, X86_SIGN_RAX, "cbw cwde cdqe"},
    {"", 0, X86_SIGN_RDX, "cwd cdq cqo"},
    {"mr", X86_FR, X86_CMOV,
     "cmova cmovae cmovb cmovbe cmove cmovg cmovge cmovl cmovle cmovne cmovno "
     "cmovnp cmovns cmovo cmovp cmovs"},
    {"w", X86_FR, X86_PLAIN,
     "seta setae setb setbe sete setg setge setl setle setne setno setnp setns "
     "seto setp sets"},

    /* Arithmetic. inc keeps CF; a shift by 0 keeps all flags. */
    {"mr", X86_FW, X86_PLAIN, "add sub and or xor"},
    {"mr", X86_FW | X86_FR, X86_PLAIN, "adc sbb"},
    {"mr", X86_FM | X86_FR, X86_PLAIN, "adcx adox"},
    {"rr", X86_FW, X86_PLAIN, "cmp test comisd comiss ucomisd ucomiss ptest"},
    {"m", X86_FW, X86_PLAIN, "neg"},
    {"m", X86_FM, X86_PLAIN, "inc dec"},
    {"mr", X86_FM, X86_PLAIN, "shl sal shr sar rol ror shld shrd"},
    {"mr", X86_FM | X86_FR, X86_PLAIN, "rcl rcr"},
    {"rr", X86_FM, X86_BIT_TEST, "bt"},
    {"mr", X86_FM, X86_BIT_TEST, "bts btr btc"},
    {"mr", X86_FW, X86_PLAIN, "bsf bsr"}, /* 0 keeps the result */
    {"wr", X86_FW, X86_PLAIN,
     "tzcnt lzcnt popcnt andn bextr blsi blsmsk blsr bzhi"},
    {"wr", 0, X86_PLAIN, "rorx sarx shlx shrx pdep pext"},
    {"mr", 0, X86_PLAIN, "crc32"},
    {"mr", X86_FW, X86_IMUL, "imul"},
    {"r", X86_FW, X86_MULTIPLY, "mul"},
    {"r", X86_FW, X86_DIVIDE, "div idiv"},
    {"wwr", 0, X86_MULX, "mulx"},
    {"", X86_FM, X86_PLAIN, "clc stc cld std"},
    {"", X86_FM | X86_FR, X86_PLAIN, "cmc"},
    {"", 0, X86_LAHF, "lahf"},
    {"", 0, X86_SAHF, "sahf"},

    /* Control. */
    {"r", 0, X86_CALL, "call"},
    {"-", 0, X86_RET, "ret"},
    {"", 0, X86_LEAVE, "leave"},
    {"r", 0, X86_JMP, "jmp"},
    {"-", X86_FR, X86_JCC,
     "ja jae jb jbe je jg jge jl jle jne jno jnp jns jo jp js"},
    {"-", 0, X86_JRCXZ, "jrcxz jecxz"},
    {"-", 0, X86_LOOP, "loop"},
    {"-", X86_FR, X86_LOOP, "loope loopne"},
    {"", 0, X86_TRAP, "syscall sysenter int int1 int3 ud0 ud1 ud2 hlt"},

    /* Fences and hints. cpuid serialises. */
    {"", 0, X86_MFENCE, "mfence"},
    {"", 0, X86_SFENCE, "sfence"},
    {"", 0, X86_LFENCE, "lfence"},
    {"", 0, X86_CPUID, "cpuid"},
    {"", 0, X86_CLOCK, "rdtsc"},
    {"-", 0, X86_NOTHING,
     "nop pause endbr64 endbr32 wait prefetch prefetchnta prefetcht0 "
     "prefetcht1 prefetcht2 prefetchw zeroupper"},

    /* Strings, one element at a time; REP repeats the instruction. */
    {"", 0, X86_MOVS, "movsb movsw movsq"},
    {"", 0, X86_STOS, "stosb stosw stosd stosq"},
    {"", 0, X86_LODS, "lodsb lodsw lodsd lodsq"},
    {"", 0, X86_SCAS, "scasb scasw scasd scasq"},
    {"", 0, X86_CMPS, "cmpsb cmpsw cmpsq"},

    /* SSE moves and conversions that replace the whole register. movsd and
     * cmpsd are string instructions, too: their operands tell. */
    {"wr", 0, X86_SCALAR_MOVE, "movss movsd"},
    {"wr", 0, X86_HALF_MOVE, "movlps movhps movlpd movhpd"},
    {"wr", 0, X86_PLAIN,
     "movaps movapd movups movupd movdqa movdqu lddqu movntdqa movd movq "
     "movddup movshdup movsldup movmskps movmskpd pmovmskb "
     "cvtdq2pd cvtdq2ps cvtpd2dq cvtpd2ps cvtps2dq cvtps2pd cvttpd2dq "
     "cvttps2dq cvtsd2si cvtss2si cvttsd2si cvttss2si "
     "sqrtpd sqrtps rsqrtps rcpps roundpd roundps "
     "pshufd pshufhw pshuflw pabsb pabsw pabsd "
     "pextrb pextrw pextrd pextrq extractps "
     "pmovsxbd pmovsxbq pmovsxbw pmovsxdq pmovsxwd pmovsxwq "
     "pmovzxbd pmovzxbq pmovzxbw pmovzxdq pmovzxwd pmovzxwq "
     "phminposuw aesimc aeskeygenassist"},

    /* SSE instructions that also read the register, or keep a part of it. */
    {"mr", 0, X86_PLAIN,
     "addpd addps addsd addss addsubpd addsubps subpd subps subsd subss mulpd "
     "mulps mulsd mulss divpd divps divsd divss maxpd maxps maxsd maxss minpd "
     "minps minsd minss haddpd haddps hsubpd hsubps dppd dpps sqrtsd sqrtss "
     "rsqrtss rcpss roundsd roundss cmppd cmpps cmpss "
     "andpd andps andnpd andnps orpd orps xorpd xorps "
     "cvtsd2ss cvtss2sd cvtsi2sd cvtsi2ss movhlps movlhps insertps "
     "shufpd shufps unpckhpd unpckhps unpcklpd unpcklps blendpd blendps "
     "packssdw packsswb packuswb packusdw paddb paddd paddq paddsb paddsw "
     "paddusb paddusw paddw palignr pand pandn pavgb pavgw pblendw pcmpeqb "
     "pcmpeqd pcmpeqq pcmpeqw pcmpgtb pcmpgtd pcmpgtq pcmpgtw phaddd phaddsw "
     "phaddw phsubd phsubsw phsubw pinsrb pinsrw pinsrd pinsrq pmaddubsw "
     "pmaddwd pmaxsb pmaxsd pmaxsw pmaxub pmaxud pmaxuw pminsb pminsd pminsw "
     "pminub pminud pminuw pmuldq pmulhrsw pmulhuw pmulhw pmulld pmullw "
     "pmuludq por psadbw pshufb psignb psignd psignw pslld pslldq psllq psllw "
     "psrad psraw psrld psrldq psrlq psrlw psubb psubd psubq psubsb psubsw "
     "psubusb psubusw psubw punpckhbw punpckhdq punpckhqdq punpckhwd "
     "punpcklbw punpckldq punpcklqdq punpcklwd pxor mpsadbw pclmulqdq "
     "aesdec aesdeclast aesenc aesenclast"},
    {"mr", 0, X86_SCALAR_COMPARE, "cmpsd"},
    {"mr", 0, X86_BLEND, "blendvpd blendvps pblendvb"},

    /* AVX alone. */
    {"wr", 0, X86_PLAIN,
     "vbroadcastss vbroadcastsd vbroadcastf128 vbroadcasti128 vpbroadcastb "
     "vpbroadcastw vpbroadcastd vpbroadcastq vextractf128 vextracti128 "
     "vinsertf128 vinserti128 vperm2f128 vperm2i128 vpermd vpermps vpermq "
     "vpermpd vpermilps vpermilpd vpblendd vpsllvd vpsllvq vpsrlvd vpsrlvq "
     "vpsravd vcvtph2ps vcvtps2ph"},
    {"rr", X86_FW, X86_PLAIN, "vtestps vtestpd"},
    {"mr", 0, X86_PLAIN,
     "vfmadd132pd vfmadd132ps vfmadd132sd vfmadd132ss vfmadd213pd "
     "vfmadd213ps vfmadd213sd vfmadd213ss vfmadd231pd vfmadd231ps "
     "vfmadd231sd vfmadd231ss vfmsub132pd vfmsub132ps vfmsub132sd "
     "vfmsub132ss vfmsub213pd vfmsub213ps vfmsub213sd vfmsub213ss "
     "vfmsub231pd vfmsub231ps vfmsub231sd vfmsub231ss vfnmadd132pd "
     "vfnmadd132ps vfnmadd132sd vfnmadd132ss vfnmadd213pd vfnmadd213ps "
     "vfnmadd213sd vfnmadd213ss vfnmadd231pd vfnmadd231ps vfnmadd231sd "
     "vfnmadd231ss vfnmsub132pd vfnmsub132ps vfnmsub132sd vfnmsub132ss "
     "vfnmsub213pd vfnmsub213ps vfnmsub213sd vfnmsub213ss vfnmsub231pd "
     "vfnmsub231ps vfnmsub231sd vfnmsub231ss"},

    /* Control and status of SSE, and x87. */
    {"r", 0, X86_CONTROL, "ldmxcsr"},
    {"w", 0, X86_CONTROL, "stmxcsr"},
    {"r", 0, X86_FPU_OP,
     "fld fild fadd fiadd faddp fsub fisub fsubp fsubr fisubr fsubrp fmul "
     "fimul fmulp fdiv fidiv fdivp fdivr fidivr fdivrp fldcw fxch fchs fabs "
     "fld1 fldz fldpi fldl2e fldl2t fldlg2 fldln2 fsqrt frndint fscale fprem "
     "fprem1 fucom fucomp fucompp fcom fcomp fcompp fxam ftst ffree fninit "
     "fnclex fincstp fdecstp"},
    {"w", 0, X86_FPU_OP, "fst fstp fist fistp fisttp fnstcw fnstsw"},
    {"-", X86_FW, X86_FPU_OP, "fucomi fucomip fcomi fcomip fucompi fcompi"},
    {"-", X86_FR, X86_FPU_OP,
     "fcmovb fcmove fcmovbe fcmovu fcmovnb fcmovne fcmovnbe fcmovnu"},
};

/* Is the word in the list? */
static bool has_word(const char *list, const char *word, size_t length)
{
    for (const char *at = list; (at = strstr(at, word)) != NULL; at++)
        if ((at == list || at[-1] == ' ') &&
            (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

const struct x86_class *x86_class_find(const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (has_word(classes[i].names, name, length))
            return &classes[i];
    return NULL;
}
