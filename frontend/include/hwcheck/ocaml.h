/* hwcheck/ocaml.h: OCaml's shared memory, for programs that are checked with
 * --model=ocaml. A mutable field or ref is an ordinary variable, which `get`
 * and `set` access plainly; an Atomic.t is an ordinary variable, too, accessed
 * by these names alone. */
#ifndef HWCHECK_OCAML_H
#define HWCHECK_OCAML_H

#include <stdbool.h>

#define caml_get(x)        (*&(x))
#define caml_set(x, value) ((void)((x) = (value)))

#define Atomic_get(a)        __atomic_load_n(&(a), __ATOMIC_SEQ_CST)
#define Atomic_set(a, value) __atomic_store_n(&(a), (value), __ATOMIC_SEQ_CST)
#define Atomic_exchange(a, value) \
    __atomic_exchange_n(&(a), (value), __ATOMIC_SEQ_CST)
#define Atomic_compare_and_set(a, seen, value)                           \
    ({                                                                   \
        __typeof__(a) hwc_seen = (seen);                                 \
        __atomic_compare_exchange_n(&(a), &hwc_seen, (value), false,     \
                                    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    })
#define Atomic_fetch_and_add(a, n) \
    __atomic_fetch_add(&(a), (n), __ATOMIC_SEQ_CST)
#define Atomic_incr(a) ((void)Atomic_fetch_and_add(a, 1))
#define Atomic_decr(a) ((void)Atomic_fetch_and_add(a, -1))

#endif
