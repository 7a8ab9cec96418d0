/* What compilers call by themselves. */
#include "frontend/guest/runtime.h"

/* ---- -fstack-protector; __stack_chk_guard stands in for aarch64, the other
 * ABIs keep it beside the thread-local variables */

const uint64_t __stack_chk_guard = 0;

_Noreturn void __stack_chk_fail(void)
{
    __hwc_fail(CALLER, VIOLATION_INVALID_ACCESS,
               "write behind the end of a local variable, seen by the stack "
               "protector");
}
void __stack_chk_fail_local(void) __attribute__((alias("__stack_chk_fail")));

/* ---- libatomic: what it does depends on the library and the machine that a
 * program is run with (a lock, a loop, one instruction): not known */

#define LIBATOMIC(name, callee)                                         \
    void __hwc_atomic_##name(void) __asm__(callee);                     \
    void __hwc_atomic_##name(void)                                      \
    {                                                                   \
        __hwc_end(CALLER, OP_UNMODELLED,                                \
                  (uint64_t)(uintptr_t)"call of libatomic's " callee    \
                                       ": its code is not part of the " \
                                       "program",                       \
                  0, 0);                                                \
    }
#define LIBATOMIC_SIZE(size)                                               \
    LIBATOMIC(load_##size, "__atomic_load_" #size)                         \
    LIBATOMIC(store_##size, "__atomic_store_" #size)                       \
    LIBATOMIC(exchange_##size, "__atomic_exchange_" #size)                 \
    LIBATOMIC(compare_exchange_##size, "__atomic_compare_exchange_" #size) \
    LIBATOMIC(fetch_add_##size, "__atomic_fetch_add_" #size)               \
    LIBATOMIC(fetch_sub_##size, "__atomic_fetch_sub_" #size)               \
    LIBATOMIC(fetch_and_##size, "__atomic_fetch_and_" #size)               \
    LIBATOMIC(fetch_or_##size, "__atomic_fetch_or_" #size)                 \
    LIBATOMIC(fetch_xor_##size, "__atomic_fetch_xor_" #size)               \
    LIBATOMIC(fetch_nand_##size, "__atomic_fetch_nand_" #size)             \
    LIBATOMIC(add_fetch_##size, "__atomic_add_fetch_" #size)               \
    LIBATOMIC(sub_fetch_##size, "__atomic_sub_fetch_" #size)               \
    LIBATOMIC(and_fetch_##size, "__atomic_and_fetch_" #size)               \
    LIBATOMIC(or_fetch_##size, "__atomic_or_fetch_" #size)                 \
    LIBATOMIC(xor_fetch_##size, "__atomic_xor_fetch_" #size)               \
    LIBATOMIC(nand_fetch_##size, "__atomic_nand_fetch_" #size)

LIBATOMIC_SIZE(1)
LIBATOMIC_SIZE(2)
LIBATOMIC_SIZE(4)
LIBATOMIC_SIZE(8)
LIBATOMIC_SIZE(16)
LIBATOMIC(load, "__atomic_load")
LIBATOMIC(store, "__atomic_store")
LIBATOMIC(exchange, "__atomic_exchange")
LIBATOMIC(compare_exchange, "__atomic_compare_exchange")
LIBATOMIC(is_lock_free, "__atomic_is_lock_free")
