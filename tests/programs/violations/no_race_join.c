// Plain accesses ordered by creation and join alone: no race.
//
// expect: model=rc11 executions=1 blocked=0 verdict=SOUND exit=0
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x;

static void *writer(void *unused)
{
    (void)unused;
    x++;
    return NULL;
}

int main(void)
{
    pthread_t t;

    x = 1;
    pthread_create(&t, NULL, writer, NULL);
    pthread_join(t, NULL);
    assert(x == 2);
    return 0;
}
