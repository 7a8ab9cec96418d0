// A thread gets a pointer to a local of main, which waits: no violation.
//
// expect: model=rc11 executions=1 blocked=0 verdict=SOUND exit=0
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static void *writer(void *arg)
{
    *(int *)arg = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    int local = 0;

    pthread_create(&t, NULL, writer, &local);
    pthread_join(t, NULL);
    assert(local == 1);
    return 0;
}
