/* What is done once. */
#include "ordinary.h"

#include <threads.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int n_inits, settings;
static int seen[2];

static void init(void)
{
    n_inits++;
    settings = PLANT(77, 78);
}

static void *once_left(void *unused)
{
    pthread_once(&once, init);
    seen[0] = settings;
    return unused;
}

static void *once_right(void *unused)
{
    pthread_once(&once, init);
    seen[1] = settings;
    return unused;
}

int test_once(void)
{
    both(once_left, once_right);
    return 0;
}

static once_flag flag = ONCE_FLAG_INIT;

static void *call_left(void *unused)
{
    call_once(&flag, init);
    seen[0] = settings + 1;
    return unused;
}

static void *call_right(void *unused)
{
    call_once(&flag, init);
    seen[1] = settings + 2;
    return unused;
}

int test_call_once(void)
{
    both(call_left, call_right);
    return 0;
}

int main(void)
{
    return 0;
}
