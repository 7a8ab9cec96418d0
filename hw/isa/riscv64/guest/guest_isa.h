/* What the guest's runtime must know of Linux and the ABI of RISC-V. */
#ifndef HW_ISA_RISCV64_GUEST_GUEST_ISA_H
#define HW_ISA_RISCV64_GUEST_GUEST_ISA_H

#define NR_SIGACTION   134
#define NR_SIGALTSTACK 132
#define UC_PC          176 /* of the pc in ucontext_t */
#define HAS_RESTORER   0   /* in struct sigaction of the kernel */

static inline void set_thread_pointer(char *tls, uint64_t bytes)
{
    (void)bytes;
    __asm__ volatile("mv tp, %0" : : "r"(tls));
}

#endif
