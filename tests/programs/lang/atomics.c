// Every atomic operation, on every type that has one.
//
// expect: model=rc11 executions=1 blocked=0 verdict=SOUND
// expect: model=sc executions=1 blocked=0 verdict=SOUND
#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>

struct pair {
    int16_t a, b;
};

static atomic_int i = 5;
static atomic_uchar c = 250;
static atomic_long l;
static atomic_uintptr_t u;
static _Atomic double d = 1.5;
static _Atomic float f = 2.0f;
static _Atomic(int *) p;
static _Atomic struct pair pair;
static atomic_bool b;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static int plain[3];

int main(void)
{
    assert(atomic_fetch_add(&i, 3) == 5 && atomic_fetch_sub(&i, 1) == 8);
    assert(atomic_fetch_or(&i, 8) == 7 && atomic_fetch_and(&i, 12) == 15);
    assert(atomic_fetch_xor(&i, 5) == 12 && atomic_exchange(&i, -1) == 9);
    assert(i++ == -1 && ++i == 1 && (i += 6) == 7 && (i *= 3) == 21);
    assert((i <<= 1) == 42 && (i %= 5) == 2 && (i -= 5) == -3);
    assert((c += 10) == 4 && c-- == 4 && (int8_t)c == 3);
    assert(atomic_fetch_add_explicit(&l, 1L << 40, memory_order_relaxed) == 0);
    assert(l == 1L << 40 && (u = (uintptr_t)&l) == (uintptr_t)&l);
    assert((d += 1.0) == 2.5 && (d /= 2) == 1.25 && (f -= 0.5f) == 1.5f);
    p = plain;
    assert(atomic_fetch_add(&p, 2) == plain && p-- == plain + 2);
    *p = 4;
    assert(plain[1] == 4);

    struct pair x = {1, -1};
    atomic_store(&pair, x);
    x.b = 5;
    struct pair y = atomic_exchange_explicit(&pair, x, memory_order_acq_rel);
    assert(y.b == -1);
    assert(atomic_compare_exchange_strong(&pair, &x, y));

    assert(!b && (b = 3) && atomic_exchange(&b, 0) == 1);
    assert(!atomic_flag_test_and_set(&flag) && atomic_flag_test_and_set(&flag));
    atomic_flag_clear_explicit(&flag, memory_order_release);

    int e = 3;
    assert(!atomic_compare_exchange_strong_explicit(
        &i, &e, 9, memory_order_acq_rel, memory_order_relaxed));
    assert(e == -3 && atomic_compare_exchange_weak(&i, &e, 9) && i == 9);

    assert(__sync_fetch_and_add(&plain[0], 2) == 0);
    assert(__sync_bool_compare_and_swap(&plain[0], 2, 6));
    assert(__sync_val_compare_and_swap(&plain[0], 2, 7) == 6);
    assert(__atomic_add_fetch(&plain[0], 1, __ATOMIC_SEQ_CST) == 7);
    assert(__atomic_fetch_nand(&plain[0], 3, __ATOMIC_RELAXED) == 7);
    assert(plain[0] == ~3 && __atomic_fetch_max(&plain[0], 2, 0) == ~3);
    assert(__atomic_load_n(&plain[0], __ATOMIC_ACQUIRE) == 2);
    __sync_synchronize();
    atomic_thread_fence(memory_order_seq_cst);
    atomic_signal_fence(memory_order_acquire);
    assert(atomic_is_lock_free(&i) && ATOMIC_INT_LOCK_FREE == 2);
    return 0;
}
