/* The loop of the guest: see runtime.c. No state is kept in registers, so that
 * a run can be left at any point by a jump to __hwc_loop. Vector registers are
 * zero when a run begins; the others are what its code makes of them. Offsets
 * are those of struct wire_mailbox. */
    .section .hwc.text, "ax", @progbits
    .globl _start, __hwc_loop, __hwc_marker, __hwc_restore, __hwc_syscall
    .type _start, @function
_start:
    leaq __hwc_stack_end(%rip), %rsp
    call __hwc_init
__hwc_loop:
    cld
    leaq __hwc_stack_end(%rip), %rsp
    call __hwc_take
    movq __hwc_mailbox+88(%rip), %rsp
    movq __hwc_mailbox+80(%rip), %rdi
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    pxor %xmm\n, %xmm\n
    .endr
    xorl %esi, %esi
    xorl %edx, %edx
    xorl %ebp, %ebp
    call *__hwc_mailbox+72(%rip)
    movq %rax, %rdi
    call __hwc_finish
    ud2

    .type __hwc_marker, @function
__hwc_marker:
    nop
    ret

/* Never returned to: a handler jumps away. */
    .type __hwc_restore, @function
__hwc_restore:
    ud2

/* __hwc_syscall(number, a, b, c, d) */
    .type __hwc_syscall, @function
__hwc_syscall:
    movq %rdi, %rax
    movq %rsi, %rdi
    movq %rdx, %rsi
    movq %rcx, %rdx
    movq %r8, %r10
    syscall
    ret
    .section .note.GNU-stack, "", @progbits
