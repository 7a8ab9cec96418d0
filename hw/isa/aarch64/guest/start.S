/* As hw/isa/x86_64/guest/start.S. */
    .arch_extension simd
    .section .hwc.text, "ax", %progbits
    .globl _start, __hwc_loop, __hwc_marker, __hwc_restore, __hwc_syscall
    .type _start, %function
_start:
    adrp x0, __hwc_stack_end
    add x0, x0, :lo12:__hwc_stack_end
    mov sp, x0
    bl __hwc_init
__hwc_loop:
    adrp x0, __hwc_stack_end
    add x0, x0, :lo12:__hwc_stack_end
    mov sp, x0
    bl __hwc_take
    adrp x9, __hwc_mailbox
    add x9, x9, :lo12:__hwc_mailbox
    ldr x10, [x9, #88]
    mov sp, x10
    ldr x0, [x9, #80]
    ldr x10, [x9, #72]
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    movi v\n\().2d, #0
    .endr
    .irp n, 16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    movi v\n\().2d, #0
    .endr
    mov x1, #0
    mov x2, #0
    mov x29, #0
    blr x10
    bl __hwc_finish
    udf #0

    .type __hwc_marker, %function
__hwc_marker:
    nop
    ret

    .type __hwc_restore, %function
__hwc_restore:
    udf #0

    .type __hwc_syscall, %function
__hwc_syscall:
    mov x8, x0
    mov x0, x1
    mov x1, x2
    mov x2, x3
    mov x3, x4
    svc #0
    ret
    .section .note.GNU-stack, "", %progbits
