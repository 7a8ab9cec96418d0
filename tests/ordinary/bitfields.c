/* Bit-fields. */
#include "ordinary.h"

static void *skip(void *unused)
{
    return unused;
}

static struct {
    unsigned a : 3, b : 5;
    int c : 7;
} bits;

static void *fill_bits(void *unused)
{
    bits.a = 5;
    bits.b = PLANT(17, 16);
    bits.c = -3;
    return unused;
}

int test_fill(void)
{
    both(fill_bits, skip);
    return 0;
}

/* Of two units; threads may write them at the same time. */
static struct {
    unsigned a : 4;
    unsigned : 0;
    unsigned b : 4;
} apart;

static void *fill_a(void *unused)
{
    apart.a = 9;
    return unused;
}

static void *fill_b(void *unused)
{
    apart.b = PLANT(6, 7);
    return unused;
}

int test_zero_width(void)
{
    both(fill_a, fill_b);
    return 0;
}

/* An unnamed field between others. */
static struct {
    unsigned a : 3;
    unsigned : 5;
    unsigned b : 3;
} gap;

static void *fill_gap(void *unused)
{
    gap.a = 7;
    gap.b = PLANT(2, 3);
    return unused;
}

int test_unnamed(void)
{
    both(fill_gap, skip);
    return 0;
}

/* Signed, unsigned, and of one bit. */
static struct {
    signed is_negative : 1;
    unsigned is_one : 1;
    _Bool is_true : 1;
} ones;

static void *fill_ones(void *unused)
{
    ones.is_negative = -1;
    ones.is_one = 1;
    ones.is_true = PLANT(1, 0);
    return unused;
}

int test_single_bits(void)
{
    both(fill_ones, skip);
    return 0;
}

/* Over the border of a byte and of a word. */
static struct {
    uint64_t a : 12, b : 23, c : 29;
} wide;

static void *fill_wide(void *unused)
{
    wide.a = 0xabc;
    wide.b = 0x123456;
    wide.c = PLANT(0x1edcba98, 0x1edcba99);
    return unused;
}

int test_wide(void)
{
    both(fill_wide, skip);
    return 0;
}

/* Beside ordinary members. */
static struct {
    short before;
    unsigned mode : 2, level : 6;
    char after;
} mixed;

static void *fill_mixed(void *unused)
{
    mixed.before = -1;
    mixed.mode = 2;
    mixed.level = PLANT(33, 34);
    mixed.after = 'a';
    return unused;
}

int test_between_members(void)
{
    both(fill_mixed, skip);
    return 0;
}

/* Counted up until it wraps. */
static struct {
    unsigned n : 2, rest : 6;
} wrap;

static void *count(void *unused)
{
    for (int i = 0; i < PLANT(6, 7); i++)
        wrap.n++;
    return unused;
}

int test_wraps(void)
{
    both(count, skip);
    return 0;
}

/* Read by another thread once the lock is free. */
static struct {
    unsigned busy : 1, owner : 7;
} state;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int owner_seen;

static void *take(void *unused)
{
    pthread_mutex_lock(&lock);
    state.busy = 1;
    state.owner = PLANT(42, 41);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *look(void *unused)
{
    pthread_mutex_lock(&lock);
    owner_seen = state.busy ? state.owner : -1;
    pthread_mutex_unlock(&lock);
    return unused;
}

int test_under_lock(void)
{
    both(take, look);
    return 0;
}

/* Copied as a whole. */
struct flags {
    unsigned read : 1, write : 1, size : 10;
};
static struct flags from = {1, 0, 1000}, to;

static void *copy(void *unused)
{
    to = from;
    to.write = PLANT(1, 0);
    return unused;
}

int test_copied(void)
{
    both(copy, skip);
    return 0;
}

/* In an array. */
static struct {
    unsigned char low : 4, high : 4;
} nibbles[4];

static void *fill_nibbles(void *unused)
{
    for (unsigned i = 0; i < 4; i++) {
        nibbles[i].low = (unsigned char)(i & 15);
        nibbles[i].high = (unsigned char)((15 - PLANT(i, 0)) & 15);
    }
    return unused;
}

int test_array_of_fields(void)
{
    both(fill_nibbles, skip);
    return 0;
}

int main(void)
{
    return 0;
}
