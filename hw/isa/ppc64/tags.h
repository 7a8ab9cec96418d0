/* What the models of Power tell apart; see core/event.h. */
#ifndef HW_ISA_PPC64_TAGS_H
#define HW_ISA_PPC64_TAGS_H

#define PPC64_TAGS(X, THREAD, ORDER)                    \
    THREAD(SYNC, "SYNC", "Power sync, hwsync, ptesync") \
    X(LWSYNC, "LWSYNC", "Power lwsync")                 \
    THREAD(ISYNC, "ISYNC", "Power isync")               \
    X(EIEIO, "EIEIO", "Power eieio")

#endif
