/* Variables of threads, and addresses of what is a thread's own. */
#include "ordinary.h"

static void *skip(void *unused)
{
    return unused;
}

static _Thread_local int own;
static int copies[2];

static void *use_left(void *unused)
{
    own += 1;
    own += 2;
    copies[0] = own;
    return unused;
}

static void *use_right(void *unused)
{
    own -= PLANT(5, 6);
    copies[1] = own;
    return unused;
}

int test_own(void)
{
    both(use_left, use_right);
    return 0;
}

/* One with a value from the beginning. */
static _Thread_local long begun = 100;
static long begun_copies[2];

static void *begin_left(void *unused)
{
    begun_copies[0] = begun++;
    return unused;
}

static void *begin_right(void *unused)
{
    begun += PLANT(10, 11);
    begun_copies[1] = begun;
    return unused;
}

int test_initialised(void)
{
    both(begin_left, begin_right);
    return 0;
}

/* The address. */
static int *_Atomic address;
static _Bool is_mine;

static void *take_address(void *unused)
{
    own = 3;
    address = &own;
    is_mine = *address == PLANT(3, 4);
    return unused;
}

int test_address(void)
{
    both(take_address, skip);
    return 0;
}

/* Of a local. */
static int *local_address;
static int through;

static void *use_local(void *unused)
{
    int local = 5;
    local_address = &local;
    *local_address += PLANT(1, 2);
    through = local;
    return unused;
}

int test_local_address(void)
{
    both(use_local, skip);
    return 0;
}

/* A local of main that threads write. */
static int from_local;

static void *fill(void *at)
{
    *(int *)at = PLANT(7, 8);
    return at;
}

int test_local_of_main(void)
{
    int local = 0;
    pthread_t t;
    pthread_create(&t, NULL, fill, &local);
    pthread_join(t, NULL);
    from_local = local;
    return 0;
}

/* Static in a function. */
static int count(int by)
{
    static _Thread_local int n;
    return n += by;
}
static int counts[2];

static void *count_left(void *unused)
{
    count(1);
    counts[0] = count(1);
    return unused;
}

static void *count_right(void *unused)
{
    counts[1] = count(PLANT(3, 4));
    return unused;
}

int test_in_function(void)
{
    both(count_left, count_right);
    return 0;
}

/* A struct of each thread. */
static _Thread_local struct {
    int n, items[3];
} buffer;
static int buffer_sum;

static void *use_buffer(void *unused)
{
    for (int i = 0; i < 3; i++)
        buffer.items[buffer.n++] = i + PLANT(1, 2);
    for (int i = 0; i < buffer.n; i++)
        buffer_sum += buffer.items[i];
    return unused;
}

int test_struct(void)
{
    both(use_buffer, skip);
    return 0;
}

int main(void)
{
    return 0;
}
