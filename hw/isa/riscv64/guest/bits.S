/* What GCC calls for bits and bytes of a word: RV64GC has no instructions for
 * these. Without branches, so that nothing depends on more than the value. */
    .section .hwclib.text, "ax", %progbits

    .macro begin name
    .globl \name
    .type \name, %function
\name:
    .endm

    .macro swap mask, bits
    li a1, \mask
    srli a2, a0, \bits
    and a2, a2, a1
    and a0, a0, a1
    slli a0, a0, \bits
    or a0, a0, a2
    .endm

    begin __bswapdi2
    swap 0x00ff00ff00ff00ff, 8
    swap 0x0000ffff0000ffff, 16
    swap 0x00000000ffffffff, 32
    ret

    begin __bswapsi2
    swap 0x00ff00ff00ff00ff, 8
    swap 0x0000ffff0000ffff, 16
    sext.w a0, a0
    ret

/* All ones from the highest one on; those above it are counted. */
    begin __clzdi2
    .irp n, 1,2,4,8,16,32
    srli a1, a0, \n
    or a0, a0, a1
    .endr
    not a0, a0
    tail __popcountdi2

/* The zeros below the lowest one. */
    begin __ctzdi2
    neg a1, a0
    and a0, a0, a1
    addi a0, a0, -1
    tail __popcountdi2
    .section .note.GNU-stack, "", %progbits
