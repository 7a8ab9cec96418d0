/* Assertions, which hold. */
#include "ordinary.h"

#include <assert.h>

static int data;
static atomic_int flag;

static void *send(void *unused)
{
    data = PLANT(1, 0);
    atomic_store_explicit(&flag, 1, RELEASE);
    return unused;
}

static void *receive(void *unused)
{
    if (atomic_load_explicit(&flag, ACQUIRE))
        assert(data == 1);
    return unused;
}

int test_holds(void)
{
    both(send, receive);
    return 0;
}

/* The same assertion in a helper for two reasons, of which one is met. */
static void expect(int value)
{
    assert(value);
}
static atomic_int a, b;

static void *set_a(void *unused)
{
    atomic_store(&a, 1);
    return unused;
}

static void *expect_a(void *unused)
{
    expect(atomic_load(&a));
    atomic_store(&b, 1);
    expect(PLANT(1, atomic_load(&b) == 2));
    return unused;
}

int test_fails_for_one_reason(void)
{
    both(set_a, expect_a);
    return 0;
}

/* By a macro. */
#define CHECK(what)  \
    do               \
        if (!(what)) \
            abort(); \
    while (0)

static void *check_macro(void *unused)
{
    CHECK(atomic_load(&a) < 2);
    CHECK(PLANT(atomic_load(&a) < 3, atomic_load(&a) > 3));
    return unused;
}

int test_macro(void)
{
    both(set_a, check_macro);
    return 0;
}

int main(void)
{
    return 0;
}
