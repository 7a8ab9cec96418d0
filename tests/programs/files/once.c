/* What is set up once is seen by all who wait for that. */
#include <pthread.h>
#include <threads.h>

static pthread_once_t first = PTHREAD_ONCE_INIT;
static once_flag second = ONCE_FLAG_INIT;
static int a, b;
int r1, r2, r3, r4;

static void set_a(void)
{
    a = 1;
}

static void set_b(void)
{
    b = 1;
}

static void *left(void *arg)
{
    pthread_once(&first, set_a);
    r1 = a;
    call_once(&second, set_b);
    r2 = b;
    return arg;
}

static void *right(void *arg)
{
    pthread_once(&first, set_a);
    r3 = a;
    call_once(&second, set_b);
    r4 = b;
    return arg;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, left, 0);
    pthread_create(&u, 0, right, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
