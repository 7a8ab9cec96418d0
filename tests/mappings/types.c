// Atomic objects that are no integers, and all that clang makes of them.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct pair {
    int a, b;
};

static _Atomic float f;
static _Atomic double d;
static _Atomic(int *) p;
static _Atomic bool b;
static _Atomic struct pair s;
static volatile atomic_int v;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static atomic_schar c;
static int n;

static void *numbers(void *unused)
{
    float g = 1.5f;
    f = g;
    assert(f == 1.5f);
    assert(atomic_compare_exchange_strong(&f, &g, 2.5f) && f == 2.5f);
    f += 1;
    assert(f == 3.5f);
    d = 0.25;
    assert(atomic_exchange(&d, 4.0) == 0.25 && d == 4.0);
    return unused;
}

static void *others(void *unused)
{
    int *expected = 0;
    struct pair one = {1, 2}, two = {3, 4};
    assert(atomic_compare_exchange_weak(&p, &expected, &n) && p == &n);
    assert(!atomic_compare_exchange_strong(&p, &expected, 0) && expected == &n);
    assert(atomic_exchange(&p, 0) == &n && !p);
    b = true;
    assert(atomic_exchange(&b, false) && !b);
    s = one;
    assert(atomic_compare_exchange_strong(&s, &one, two));
    one = s;
    assert(one.a == 3 && one.b == 4);
    v = 5;
    assert(v++ == 5 && v == 6);
    assert(!atomic_flag_test_and_set(&flag) && atomic_flag_test_and_set(&flag));
    atomic_flag_clear(&flag);
    atomic_signal_fence(memory_order_seq_cst);
    c = -128;
    c--;
    assert(c == 127);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, numbers, 0);
    pthread_join(t, 0);
    pthread_create(&t, 0, others, 0);
    pthread_join(t, 0);
    return 0;
}
