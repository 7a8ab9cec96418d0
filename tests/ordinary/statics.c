/* Static variables in all places, of one name, shrunk and split. */
#include "ordinary.h"

static void *skip(void *unused)
{
    return unused;
}

/* The same name in two functions. */
static void *count_left(void *unused)
{
    static volatile int r;
    r = r + 1;
    return unused;
}

static void *count_right(void *unused)
{
    static volatile int r;
    r = r + PLANT(2, 3);
    return unused;
}

int test_one_name(void)
{
    both(count_left, count_right);
    return 0;
}

/* ... and in two blocks of one. */
static void *count_blocks(void *unused)
{
    {
        static int r;
        r += 1;
    }
    {
        static int r;
        r += PLANT(2, 3);
    }
    return unused;
}

int test_two_blocks(void)
{
    both(count_blocks, skip);
    return 0;
}

/* ... and outside. */
static int shadowed;

static void *shadow(void *unused)
{
    shadowed = 1;
    {
        static int shadowed;
        shadowed = PLANT(2, 3);
    }
    return unused;
}

int test_shadowed(void)
{
    both(shadow, skip);
    return 0;
}

/* Two values only, so that a compiler makes it a bool. */
static int data = 42;
static atomic_int flag;

static void *set(void *unused)
{
    data = 43;
    atomic_store_explicit(&flag, 1, RELEASE);
    return unused;
}

static int data_seen;

static void *get(void *unused)
{
    data_seen = atomic_load_explicit(&flag, ACQUIRE) ? data + PLANT(0, 1) : 0;
    return unused;
}

int test_two_values(void)
{
    both(set, get);
    return 0;
}

/* A pair that a compiler takes apart. */
static struct {
    int head, tail;
} q;

static void *put(void *unused)
{
    q.head = q.head + 1;
    return unused;
}

static void *take(void *unused)
{
    q.tail = q.tail + PLANT(2, 3);
    return unused;
}

int test_split(void)
{
    both(put, take);
    return 0;
}

/* A static struct of a function. */
static void *split_local(void *unused)
{
    static struct {
        int a, b, c;
    } r;
    r.a++;
    r.b += 2;
    r.c += PLANT(3, 4);
    return unused;
}

int test_split_local(void)
{
    in_turn(split_local, split_local);
    return 0;
}

/* Never read. */
static int written_only;

static void *write_only(void *unused)
{
    written_only = PLANT(1, 2);
    return unused;
}

int test_written_only(void)
{
    both(write_only, skip);
    return 0;
}

/* Never read, and never written in the machine code with the fault. */
static int lost;

static void *lose(void *unused)
{
    PLANT(lost = 1, (void)0);
    return unused;
}

int test_lost_store(void)
{
    both(lose, skip);
    return 0;
}

/* A counter that is handed out. */
static int next(void)
{
    static int counter = 100;
    return counter++;
}
static int ids[3];

static void *hand_out(void *unused)
{
    for (int i = 0; i < 3; i++)
        ids[i] = next() + PLANT(0, i == 2);
    return unused;
}

int test_counter(void)
{
    both(hand_out, skip);
    return 0;
}

/* Constants, and what is made of them. */
static const struct {
    int key, value;
} map[] = {{1, 10}, {2, 20}, {3, 30}};
static int looked_up;

static void *look_up(void *unused)
{
    for (size_t i = 0; i < sizeof map / sizeof *map; i++)
        if (map[i].key == PLANT(2, 3))
            looked_up = map[i].value;
    return unused;
}

int test_constants(void)
{
    both(look_up, skip);
    return 0;
}

/* Filled once. */
static int cache[4];
static _Bool is_filled;

static __attribute__((noinline)) int cached(int i)
{
    if (!is_filled) {
        for (int k = 0; k < 4; k++)
            cache[k] = k * PLANT(11, 12);
        is_filled = 1;
    }
    return cache[i];
}
static int from_cache;

static void *use_cache(void *unused)
{
    from_cache = cached(2) + cached(3);
    return unused;
}

int test_cache(void)
{
    both(use_cache, skip);
    return 0;
}

/* Of an inline function. */
static inline int *storage(void)
{
    static int kept;
    return &kept;
}
static int *where;

static void *keep(void *unused)
{
    where = storage();
    *where = PLANT(6, 7);
    return unused;
}

int test_inline_static(void)
{
    both(keep, skip);
    return 0;
}

/* Several with one letter more. */
static char a1, a10;
static short a2;
int a3;

static void *fill_names(void *unused)
{
    a1 = 1;
    a2 = 2;
    a3 = 3;
    a10 = PLANT(10, 11);
    return unused;
}

int test_like_names(void)
{
    both(fill_names, skip);
    return 0;
}
/* A flag that is set and never unset. */
static _Bool is_done;

static void *finish(void *unused)
{
    is_done = PLANT(1, 0);
    return unused;
}

int test_done(void)
{
    both(finish, skip);
    return 0;
}

int main(void)
{
    return 0;
}
