/* Atomics of all kinds. */
#include "ordinary.h"

static void *skip(void *unused)
{
    return unused;
}

static int data, seen;
static atomic_int flag;

static void *send(void *unused)
{
    data = 42;
    atomic_store_explicit(&flag, 1, RELEASE);
    return unused;
}

static void *receive(void *unused)
{
    seen = -1;
    if (atomic_load_explicit(&flag, ACQUIRE))
        seen = data + PLANT(0, 1);
    return unused;
}

int test_message(void)
{
    both(send, receive);
    return 0;
}

static atomic_int x, y;
static int r1, r2;

static void *left(void *unused)
{
    atomic_store(&x, 1);
    r1 = atomic_load(&y);
    return unused;
}

static void *right(void *unused)
{
    PLANT(atomic_store(&y, 1), atomic_store_explicit(&y, 2, RELAXED));
    r2 = atomic_load(&x);
    return unused;
}

int test_store_buffering(void)
{
    both(left, right);
    return 0;
}

static atomic_int counter;

static void *increment(void *unused)
{
    atomic_fetch_add(&counter, 1);
    return unused;
}

static void *add_two(void *unused)
{
    atomic_fetch_add_explicit(&counter, PLANT(2, 3), RELAXED);
    return unused;
}

int test_counter(void)
{
    both(increment, add_two);
    return 0;
}

static atomic_uint bits = 0xf0;

static void *set_bits(void *unused)
{
    atomic_fetch_or(&bits, 3);
    return unused;
}

static void *clear_bits(void *unused)
{
    atomic_fetch_and(&bits, PLANT(~0x30u, ~0x10u));
    return unused;
}

int test_bits(void)
{
    both(set_bits, clear_bits);
    return 0;
}

static atomic_int slot;
static int who[2];

static void *claim_left(void *unused)
{
    int none = 0;
    who[0] = atomic_compare_exchange_strong(&slot, &none, 1) ? 0 : none;
    return unused;
}

static void *claim_right(void *unused)
{
    int none = 0;
    who[1] =
        atomic_compare_exchange_strong(&slot, &none, PLANT(2, 3)) ? 0 : none;
    return unused;
}

int test_claim(void)
{
    both(claim_left, claim_right);
    return 0;
}

/* A loop of weak compare-and-swaps. */
static atomic_int product = 1;

static void *times_two(void *unused)
{
    int old = atomic_load(&product);
    while (!atomic_compare_exchange_weak(&product, &old, old * 2))
        ;
    return unused;
}

static void *times_three(void *unused)
{
    int old = atomic_load(&product);
    while (!atomic_compare_exchange_weak(&product, &old, old * PLANT(3, 5)))
        ;
    return unused;
}

int test_cas_loop(void)
{
    both(times_two, times_three);
    return 0;
}

static atomic_flag busy = ATOMIC_FLAG_INIT;
static int entered;

static void *enter(void *unused)
{
    while (atomic_flag_test_and_set_explicit(&busy, ACQUIRE))
        ;
    entered += PLANT(1, 2);
    atomic_flag_clear_explicit(&busy, RELEASE);
    return unused;
}

int test_flag(void)
{
    both(enter, enter);
    return 0;
}

/* Narrow ones, side by side. */
static struct {
    atomic_char a;
    _Atomic short b;
    atomic_bool c;
} narrow;

static void *narrow_left(void *unused)
{
    atomic_store(&narrow.a, 1);
    atomic_fetch_add(&narrow.b, 300);
    return unused;
}

static void *narrow_right(void *unused)
{
    atomic_exchange(&narrow.c, PLANT(1, 0));
    return unused;
}

int test_narrow(void)
{
    both(narrow_left, narrow_right);
    return 0;
}

static _Atomic(double) real;

static void *set_real(void *unused)
{
    atomic_store(&real, 1.25);
    return unused;
}

static void *halve_real(void *unused)
{
    atomic_store(&real, atomic_load(&real) / PLANT(2, 4));
    return unused;
}

int test_double(void)
{
    in_turn(set_real, halve_real);
    return 0;
}

/* Structs that fit a word. */
static _Atomic struct pair {
    int a, b;
} pair;

static void *set_pair(void *unused)
{
    atomic_store(&pair, ((struct pair){1, PLANT(2, 3)}));
    return unused;
}
static struct pair pair_seen;

static void *get_pair(void *unused)
{
    pair_seen = atomic_load(&pair);
    return unused;
}

int test_struct(void)
{
    both(set_pair, get_pair);
    return 0;
}

static int fenced, fenced_seen;
static atomic_int fence_flag;

static void *fence_send(void *unused)
{
    fenced = PLANT(1, 2);
    atomic_thread_fence(RELEASE);
    atomic_store_explicit(&fence_flag, 1, RELAXED);
    return unused;
}

static void *fence_receive(void *unused)
{
    if (atomic_load_explicit(&fence_flag, RELAXED)) {
        atomic_thread_fence(ACQUIRE);
        fenced_seen = fenced;
    }
    return unused;
}

int test_fences(void)
{
    both(fence_send, fence_receive);
    return 0;
}

/* The builtins of compilers. */
static long builtin;
static long builtin_old;

static void *use_builtins(void *unused)
{
    __atomic_store_n(&builtin, 5, __ATOMIC_RELEASE);
    builtin_old = __atomic_fetch_sub(&builtin, PLANT(2, 3), __ATOMIC_ACQ_REL);
    __sync_fetch_and_or(&builtin, 8);
    return unused;
}

int test_builtins(void)
{
    both(use_builtins, skip);
    return 0;
}

/* Operators on an atomic variable. */
static _Atomic int operand = 10;

static void *operate(void *unused)
{
    operand += 5;
    operand *= PLANT(2, 3);
    operand--;
    ++operand;
    operand ^= 1;
    return unused;
}

int test_operators(void)
{
    both(operate, skip);
    return 0;
}

/* References that are counted. */
static atomic_int references = 2;
static int is_freed;

static void *drop(void *unused)
{
    if (atomic_fetch_sub_explicit(&references, 1, memory_order_acq_rel) == 1)
        is_freed = PLANT(1, 2);
    return unused;
}

int test_references(void)
{
    both(drop, drop);
    return 0;
}

/* Tickets. */
static atomic_uint next_ticket, now_serving;
static int served;

static void *visit(void *unused)
{
    unsigned mine = atomic_fetch_add_explicit(&next_ticket, 1, RELAXED);
    while (atomic_load_explicit(&now_serving, ACQUIRE) != mine)
        ;
    served = served * 2 + PLANT(1, 0);
    atomic_store_explicit(&now_serving, mine + 1, RELEASE);
    return unused;
}

int test_tickets(void)
{
    both(visit, visit);
    return 0;
}

/* A pointer that is exchanged. */
static int objects[2] = {1, 2};
static _Atomic(int *) current = &objects[0];
static int *old;

static void *exchange(void *unused)
{
    old = atomic_exchange(&current, &objects[PLANT(1, 0)]);
    return unused;
}

int test_exchanged_pointer(void)
{
    both(exchange, skip);
    return 0;
}

int main(void)
{
    return 0;
}
