/* What the guest's runtime must know of Linux and the ABI of Power. */
#ifndef HW_ISA_PPC64_GUEST_GUEST_ISA_H
#define HW_ISA_PPC64_GUEST_GUEST_ISA_H

#define NR_SIGACTION   173
#define NR_SIGALTSTACK 185
#define UC_PC          488 /* of the pc in ucontext_t */
#define HAS_RESTORER   1   /* in struct sigaction of the kernel */

static inline void set_thread_pointer(char *tls, uint64_t bytes)
{
    (void)bytes;
    __asm__ volatile("mr 13, %0" : : "r"(tls + 0x7000));
}

#endif
