/* hwcheck/java.h: the access modes of Java's VarHandle, for C programs that
 * stand for Java ones. The variable is an ordinary global of an integer or
 * pointer type; each macro takes the variable itself:
 *
 *     int x;
 *     setVolatile(x, 1);
 *     int r = getAcquire(x);
 *
 * Check with --model=jam21 (docs/JAVA.md). Opaque is relaxed and volatile is
 * seq_cst. Java's fences of loads alone or stores alone have no counterpart in
 * C: they are the acquire and release fences here, which order more. */
#ifndef HWCHECK_JAVA_H
#define HWCHECK_JAVA_H

#include <stdbool.h>

#define getPlain(x)           (*&(x))
#define setPlain(x, value)    ((void)((x) = (value)))
#define getOpaque(x)          __atomic_load_n(&(x), __ATOMIC_RELAXED)
#define setOpaque(x, value)   __atomic_store_n(&(x), (value), __ATOMIC_RELAXED)
#define getAcquire(x)         __atomic_load_n(&(x), __ATOMIC_ACQUIRE)
#define setRelease(x, value)  __atomic_store_n(&(x), (value), __ATOMIC_RELEASE)
#define getVolatile(x)        __atomic_load_n(&(x), __ATOMIC_SEQ_CST)
#define setVolatile(x, value) __atomic_store_n(&(x), (value), __ATOMIC_SEQ_CST)

/* Compare and set. The plain form of weakCompareAndSet is opaque here. */
#define HWC_CAS(x, expected, value, success, failure)                         \
    ({                                                                        \
        __typeof__(x) hwc_seen = (expected);                                  \
        __atomic_compare_exchange_n(&(x), &hwc_seen, (value), false, success, \
                                    failure);                                 \
    })
#define compareAndSet(x, expected, value) \
    HWC_CAS(x, expected, value, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
#define weakCompareAndSet(x, expected, value) compareAndSet(x, expected, value)
#define weakCompareAndSetPlain(x, expected, value) \
    HWC_CAS(x, expected, value, __ATOMIC_RELAXED, __ATOMIC_RELAXED)
#define weakCompareAndSetAcquire(x, expected, value) \
    HWC_CAS(x, expected, value, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)
#define weakCompareAndSetRelease(x, expected, value) \
    HWC_CAS(x, expected, value, __ATOMIC_RELEASE, __ATOMIC_RELAXED)

/* Compare and exchange: gives the value that was there. */
#define HWC_EXCHANGE(x, expected, value, success, failure)                 \
    ({                                                                     \
        __typeof__(x) hwc_seen = (expected);                               \
        (void)__atomic_compare_exchange_n(&(x), &hwc_seen, (value), false, \
                                          success, failure);               \
        hwc_seen;                                                          \
    })
#define compareAndExchange(x, expected, value) \
    HWC_EXCHANGE(x, expected, value, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
#define compareAndExchangeAcquire(x, expected, value) \
    HWC_EXCHANGE(x, expected, value, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)
#define compareAndExchangeRelease(x, expected, value) \
    HWC_EXCHANGE(x, expected, value, __ATOMIC_RELEASE, __ATOMIC_RELAXED)

/* Each gives the value before. */
#define getAndSet(x, value) __atomic_exchange_n(&(x), (value), __ATOMIC_SEQ_CST)
#define getAndSetAcquire(x, value) \
    __atomic_exchange_n(&(x), (value), __ATOMIC_ACQUIRE)
#define getAndSetRelease(x, value) \
    __atomic_exchange_n(&(x), (value), __ATOMIC_RELEASE)
#define getAndAdd(x, value) __atomic_fetch_add(&(x), (value), __ATOMIC_SEQ_CST)
#define getAndAddAcquire(x, value) \
    __atomic_fetch_add(&(x), (value), __ATOMIC_ACQUIRE)
#define getAndAddRelease(x, value) \
    __atomic_fetch_add(&(x), (value), __ATOMIC_RELEASE)
#define getAndBitwiseOr(x, value) \
    __atomic_fetch_or(&(x), (value), __ATOMIC_SEQ_CST)
#define getAndBitwiseAnd(x, value) \
    __atomic_fetch_and(&(x), (value), __ATOMIC_SEQ_CST)
#define getAndBitwiseXor(x, value) \
    __atomic_fetch_xor(&(x), (value), __ATOMIC_SEQ_CST)

#define fullFence()       __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define acquireFence()    __atomic_thread_fence(__ATOMIC_ACQUIRE)
#define releaseFence()    __atomic_thread_fence(__ATOMIC_RELEASE)
#define loadLoadFence()   acquireFence()
#define storeStoreFence() releaseFence()

#endif
