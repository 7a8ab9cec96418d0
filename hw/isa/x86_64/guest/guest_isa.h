/* What the guest's runtime must know of Linux and the ABI of x86-64. */
#ifndef HW_ISA_X86_64_GUEST_GUEST_ISA_H
#define HW_ISA_X86_64_GUEST_GUEST_ISA_H

#define NR_SIGACTION   13
#define NR_SIGALTSTACK 131
#define NR_ARCH_PRCTL  158
#define UC_PC          168 /* of the pc in ucontext_t */
#define HAS_RESTORER   1   /* in struct sigaction of the kernel */

static inline void set_thread_pointer(char *tls, uint64_t bytes)
{
    uint64_t pointer = (uint64_t)(uintptr_t)tls + bytes;
    *(volatile uint64_t *)(uintptr_t)pointer = pointer;
    __hwc_syscall(NR_ARCH_PRCTL, 0x1002, pointer, 0, 0);
}

#endif
