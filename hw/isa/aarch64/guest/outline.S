/* What GCC calls for atomics on AArch64 with -moutline-atomics (its default)
 * and clang if it is asked to: each is an LSE instruction where the machine has
 * these, else a loop. Here it is the loop, as on an ARMv8.0: it orders less
 * than the instruction does. The program made the access, so the code stands
 * where it is looked at. Old value in w0 (x0 and x1); x16 and x17 are free. */
    .section .hwclib.text, "ax", %progbits

/* bytes, part and r: of an access, the suffix of its instructions, and whether
 * registers are w or x; load, store and fence make the order. */
    .macro begin name
    .globl \name
    .type \name, %function
    .p2align 2
\name:
    .endm

/* __aarch64_cas<bytes>_<order>(expected, new, address) */
    .macro cas bytes, part, r, order, load, store, fence
    begin __aarch64_cas\bytes\()_\order
    .ifc \part, b
    uxtb w16, w0
    .else
    .ifc \part, h
    uxth w16, w0
    .else
    mov \r\()16, \r\()0
    .endif
    .endif
0:  \load\part \r\()0, [x2]
    cmp \r\()0, \r\()16
    b.ne 1f
    \store\part w17, \r\()1, [x2]
    cbnz w17, 0b
1:
    .if \fence
    dmb ish
    .endif
    ret
    .endm

    .macro cas_pair order, load, store, fence
    begin __aarch64_cas16_\order
    mov x16, x0
    mov x17, x1
0:  \load x0, x1, [x4]
    cmp x0, x16
    ccmp x1, x17, #0, eq
    b.ne 1f
    \store w15, x2, x3, [x4]
    cbnz w15, 0b
1:
    .if \fence
    dmb ish
    .endif
    ret
    .endm

/* __aarch64_<name><bytes>_<order>(value, address) */
    .macro swap bytes, part, r, order, load, store, fence
    begin __aarch64_swp\bytes\()_\order
    mov \r\()16, \r\()0
0:  \load\part \r\()0, [x1]
    \store\part w17, \r\()16, [x1]
    cbnz w17, 0b
    .if \fence
    dmb ish
    .endif
    ret
    .endm

    .macro modify name, op, bytes, part, r, order, load, store, fence
    begin __aarch64_\name\bytes\()_\order
    mov \r\()16, \r\()0
0:  \load\part \r\()0, [x1]
    \op \r\()17, \r\()0, \r\()16
    \store\part w15, \r\()17, [x1]
    cbnz w15, 0b
    .if \fence
    dmb ish
    .endif
    ret
    .endm

    .macro sizes order, load, store, fence
    .irp one, 1, 2, 4, 8
    .if \one == 1
    all 1, b, w, \order, \load, \store, \fence
    .elseif \one == 2
    all 2, h, w, \order, \load, \store, \fence
    .elseif \one == 4
    all 4, , w, \order, \load, \store, \fence
    .else
    all 8, , x, \order, \load, \store, \fence
    .endif
    .endr
    .endm

    .macro all bytes, part, r, order, load, store, fence
    cas \bytes, \part, \r, \order, \load, \store, \fence
    swap \bytes, \part, \r, \order, \load, \store, \fence
    modify ldadd, add, \bytes, \part, \r, \order, \load, \store, \fence
    modify ldclr, bic, \bytes, \part, \r, \order, \load, \store, \fence
    modify ldeor, eor, \bytes, \part, \r, \order, \load, \store, \fence
    modify ldset, orr, \bytes, \part, \r, \order, \load, \store, \fence
    .endm

    sizes relax, ldxr, stxr, 0
    sizes acq, ldaxr, stxr, 0
    sizes rel, ldxr, stlxr, 0
    sizes acq_rel, ldaxr, stlxr, 0
    sizes sync, ldxr, stlxr, 1
    cas_pair relax, ldxp, stxp, 0
    cas_pair acq, ldaxp, stxp, 0
    cas_pair rel, ldxp, stlxp, 0
    cas_pair acq_rel, ldaxp, stlxp, 0
    cas_pair sync, ldxp, stlxp, 1
    .section .note.GNU-stack, "", %progbits
