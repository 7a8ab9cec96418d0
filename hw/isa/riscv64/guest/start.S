/* As start_x86_64.S. */
    .section .hwc.text, "ax", %progbits
    .globl _start, __hwc_loop, __hwc_marker, __hwc_restore, __hwc_syscall
    .type _start, %function
_start:
    lla sp, __hwc_stack_end
    call __hwc_init
__hwc_loop:
    lla sp, __hwc_stack_end
    call __hwc_take
    lla t0, __hwc_mailbox
    ld sp, 88(t0)
    ld a0, 80(t0)
    ld t1, 72(t0)
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    fmv.d.x f\n, zero
    .endr
    .irp n, 16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    fmv.d.x f\n, zero
    .endr
    fscsr zero
    li a1, 0
    li a2, 0
    li s0, 0
    jalr t1
    call __hwc_finish
    unimp

    .type __hwc_marker, %function
__hwc_marker:
    nop
    ret

    .type __hwc_restore, %function
__hwc_restore:
    unimp

    .type __hwc_syscall, %function
__hwc_syscall:
    mv a7, a0
    mv a0, a1
    mv a1, a2
    mv a2, a3
    mv a3, a4
    ecall
    ret
    .section .note.GNU-stack, "", %progbits
