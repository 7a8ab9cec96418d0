/* Thread-local variables of code that is made with -fPIC, whose linker does not
 * know better: a0 has the address of a module, which is the only one, and an
 * offset that begins 0x800 behind its variables. */
    .section .hwclib.text, "ax", %progbits
    .globl __tls_get_addr
    .type __tls_get_addr, %function
__tls_get_addr:
    ld a0, 8(a0)
    add a0, a0, tp
    addi a0, a0, 0x400
    addi a0, a0, 0x400
    ret
    .section .note.GNU-stack, "", %progbits
