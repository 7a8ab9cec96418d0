/* Store buffering over two files, which have static variables and functions of
 * the same names. */
#include "both.h"

#include <pthread.h>

static int r;
int (*mine)(void);

static int shared(void)
{
    return 1;
}

static void *left(void *arg)
{
    (void)arg;
    put_x(1);
    r = get_y();
    return 0;
}

static void *right(void *arg)
{
    (void)arg;
    put_y(1);
    note(get_x());
    return 0;
}

int main(void)
{
    pthread_t t, u;
    mine = shared;
    fill();
    pthread_create(&t, 0, left, 0);
    pthread_create(&u, 0, right, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
