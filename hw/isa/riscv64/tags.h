/* What the models of RISC-V tell apart; see core/event.h. */
#ifndef HW_ISA_RISCV64_TAGS_H
#define HW_ISA_RISCV64_TAGS_H

#define RISCV64_TAGS(X, THREAD, ORDER)                                 \
    ORDER(RV_AQ, "Acq", "RISC-V accesses with .aq alone")              \
    ORDER(RV_RL, "Rel", "RISC-V accesses with .rl alone")              \
    ORDER(RV_AQRL, "AcqRel", "RISC-V accesses with both")              \
    X(FENCE_R_R, "Fence.r.r", "RISC-V fence r,r")                      \
    X(FENCE_R_W, "Fence.r.w", "RISC-V fence r,w")                      \
    X(FENCE_R_RW, "Fence.r.rw", "RISC-V fence r,rw")                   \
    X(FENCE_W_R, "Fence.w.r", "RISC-V fence w,r")                      \
    X(FENCE_W_W, "Fence.w.w", "RISC-V fence w,w")                      \
    X(FENCE_W_RW, "Fence.w.rw", "RISC-V fence w,rw")                   \
    X(FENCE_RW_R, "Fence.rw.r", "RISC-V fence rw,r")                   \
    X(FENCE_RW_W, "Fence.rw.w", "RISC-V fence rw,w")                   \
    THREAD(FENCE_RW_RW, "Fence.rw.rw", "RISC-V fence rw,rw and wider") \
    X(FENCE_TSO, "Fence.tso", "RISC-V fence.tso")

#endif
