/* As hw/isa/x86_64/guest/start.S, for both byte orders, ELFv2. The image is linked below
 * 2 GiB, so that the TOC pointer is a constant. */
    .section .hwc.text, "ax", @progbits
    .abiversion 2
    .machine power8
    .globl _start, __hwc_loop, __hwc_marker, __hwc_restore, __hwc_syscall
    .type _start, @function
_start:
    lis 2, .TOC.@ha
    addi 2, 2, .TOC.@l
    lis 1, __hwc_stack_end@ha
    addi 1, 1, __hwc_stack_end@l
    li 0, 0
    stdu 0, -64(1)
    bl __hwc_init
    nop
__hwc_loop:
    lis 2, .TOC.@ha
    addi 2, 2, .TOC.@l
    lis 1, __hwc_stack_end@ha
    addi 1, 1, __hwc_stack_end@l
    li 0, 0
    stdu 0, -64(1)
    bl __hwc_take
    nop
    lis 9, __hwc_mailbox@ha
    addi 9, 9, __hwc_mailbox@l
    ld 1, 88(9)
    li 0, 0
    stdu 0, -64(1)
    ld 3, 80(9)
    ld 12, 72(9)
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    xxlxor \n, \n, \n
    xxlxor \n + 16, \n + 16, \n + 16
    xxlxor \n + 32, \n + 32, \n + 32
    xxlxor \n + 48, \n + 48, \n + 48
    .endr
    li 4, 0
    li 5, 0
    mtctr 0
    mtlr 12
    blrl
    bl __hwc_finish
    nop
    .long 0

    .type __hwc_marker, @function
__hwc_marker:
    nop
    blr

    .type __hwc_restore, @function
__hwc_restore:
    .long 0

    .type __hwc_syscall, @function
__hwc_syscall:
    mr 0, 3
    mr 3, 4
    mr 4, 5
    mr 5, 6
    mr 6, 7
    sc
    blr
    .section .note.GNU-stack, "", @progbits
