/* hwcheck/linux.h: names of the Linux kernel for its marked accesses, for
 * programs that are checked with --model=lkmm. Without dependencies, locks and
 * RCU; see models/lkmm.cat. */
#ifndef HWCHECK_LINUX_H
#define HWCHECK_LINUX_H

#include <stdbool.h>

#define READ_ONCE(x)         __atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, value) __atomic_store_n(&(x), (value), __ATOMIC_RELAXED)
#define smp_load_acquire(p)  __atomic_load_n((p), __ATOMIC_ACQUIRE)
#define smp_store_release(p, value) \
    __atomic_store_n((p), (value), __ATOMIC_RELEASE)

/* In lkmm a release fence orders writes alone and an acquire fence reads
 * alone. */
#define smp_mb()                __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define smp_rmb()               __atomic_thread_fence(__ATOMIC_ACQUIRE)
#define smp_wmb()               __atomic_thread_fence(__ATOMIC_RELEASE)
#define smp_mb__before_atomic() smp_mb()
#define smp_mb__after_atomic()  smp_mb()

#define xchg(p, value) __atomic_exchange_n((p), (value), __ATOMIC_SEQ_CST)
#define xchg_relaxed(p, value) \
    __atomic_exchange_n((p), (value), __ATOMIC_RELAXED)
#define xchg_acquire(p, value) \
    __atomic_exchange_n((p), (value), __ATOMIC_ACQUIRE)
#define xchg_release(p, value) \
    __atomic_exchange_n((p), (value), __ATOMIC_RELEASE)

/* Gives the value that was there; a failure orders nothing. */
#define HWC_CMPXCHG(p, old, new, order)                                        \
    ({                                                                         \
        __typeof__(*(p)) hwc_seen = (old);                                     \
        (void)__atomic_compare_exchange_n((p), &hwc_seen, (new), false, order, \
                                          __ATOMIC_RELAXED);                   \
        hwc_seen;                                                              \
    })
#define cmpxchg(p, old, new)         HWC_CMPXCHG(p, old, new, __ATOMIC_SEQ_CST)
#define cmpxchg_relaxed(p, old, new) HWC_CMPXCHG(p, old, new, __ATOMIC_RELAXED)
#define cmpxchg_acquire(p, old, new) HWC_CMPXCHG(p, old, new, __ATOMIC_ACQUIRE)
#define cmpxchg_release(p, old, new) HWC_CMPXCHG(p, old, new, __ATOMIC_RELEASE)

typedef struct {
    int counter;
} atomic_t;

#define ATOMIC_INIT(i)           {(i)}
#define atomic_read(v)           READ_ONCE((v)->counter)
#define atomic_set(v, i)         WRITE_ONCE((v)->counter, (i))
#define atomic_read_acquire(v)   smp_load_acquire(&(v)->counter)
#define atomic_set_release(v, i) smp_store_release(&(v)->counter, (i))

/* Without a result: not ordered. */
#define atomic_add(i, v) \
    ((void)__atomic_fetch_add(&(v)->counter, (i), __ATOMIC_RELAXED))
#define atomic_sub(i, v) \
    ((void)__atomic_fetch_sub(&(v)->counter, (i), __ATOMIC_RELAXED))
#define atomic_inc(v) atomic_add(1, v)
#define atomic_dec(v) atomic_sub(1, v)

/* With one: fully ordered, unless the name says otherwise. */
#define atomic_add_return(i, v) \
    __atomic_add_fetch(&(v)->counter, (i), __ATOMIC_SEQ_CST)
#define atomic_add_return_relaxed(i, v) \
    __atomic_add_fetch(&(v)->counter, (i), __ATOMIC_RELAXED)
#define atomic_add_return_acquire(i, v) \
    __atomic_add_fetch(&(v)->counter, (i), __ATOMIC_ACQUIRE)
#define atomic_add_return_release(i, v) \
    __atomic_add_fetch(&(v)->counter, (i), __ATOMIC_RELEASE)
#define atomic_fetch_add_full(i, v) \
    __atomic_fetch_add(&(v)->counter, (i), __ATOMIC_SEQ_CST)
#define atomic_inc_return(v)        atomic_add_return(1, v)
#define atomic_dec_return(v)        atomic_add_return(-1, v)
#define atomic_dec_and_test(v)      (atomic_dec_return(v) == 0)
#define atomic_xchg(v, i)           xchg(&(v)->counter, i)
#define atomic_xchg_relaxed(v, i)   xchg_relaxed(&(v)->counter, i)
#define atomic_xchg_acquire(v, i)   xchg_acquire(&(v)->counter, i)
#define atomic_xchg_release(v, i)   xchg_release(&(v)->counter, i)
#define atomic_cmpxchg(v, old, new) cmpxchg(&(v)->counter, old, new)
#define atomic_cmpxchg_relaxed(v, old, new) \
    cmpxchg_relaxed(&(v)->counter, old, new)
#define atomic_cmpxchg_acquire(v, old, new) \
    cmpxchg_acquire(&(v)->counter, old, new)
#define atomic_cmpxchg_release(v, old, new) \
    cmpxchg_release(&(v)->counter, old, new)

#endif
