/* What the models of x86 tell apart; see core/event.h. */
#ifndef HW_ISA_X86_64_TAGS_H
#define HW_ISA_X86_64_TAGS_H

#define X86_64_TAGS(X, THREAD, ORDER)                           \
    THREAD(MFENCE, "MFENCE", "x86 mfence")                      \
    THREAD(SFENCE, "SFENCE", "x86 sfence, store-store barrier") \
    X(LFENCE, "LFENCE", "x86 lfence")

#endif
