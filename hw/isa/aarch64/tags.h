/* What the models of AArch64 tell apart; see core/event.h. */
#ifndef HW_ISA_AARCH64_TAGS_H
#define HW_ISA_AARCH64_TAGS_H

#define AARCH64_TAGS(X, THREAD, ORDER)                                     \
    ORDER(ARM_A, "A64.A", "AArch64 acquire (RCsc); `A` in AArch64 models") \
    ORDER(ARM_Q, "Q", "AArch64 acquire of ldapr (RCpc)")                   \
    ORDER(ARM_L, "L", "AArch64 release")                                   \
    X(NORET, "NoRet", "AArch64 AMO reads whose result is thrown away")     \
    THREAD(DMB_SY, "DMB.SY", "AArch64 dmb sy, ish, osh, nsh")              \
    X(DMB_LD, "DMB.LD", "AArch64 dmb ld, ishld, ...")                      \
    X(DMB_ST, "DMB.ST", "AArch64 dmb st, ishst, ...")                      \
    THREAD(DSB_SY, "DSB.SY", "AArch64 dsb sy, ...")                        \
    X(DSB_LD, "DSB.LD", "AArch64 dsb ld, ...")                             \
    X(DSB_ST, "DSB.ST", "AArch64 dsb st, ...")                             \
    THREAD(ISB, "ISB", "AArch64 isb")

#endif
