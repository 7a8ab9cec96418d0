// A thread gets a pointer to a local of a function that has returned.
//
// expect: model=rc11 verdict=VIOLATION exit=1
#include <pthread.h>
#include <stddef.h>

static pthread_t t;

static void *writer(void *arg)
{
    *(int *)arg = 1;
    return NULL;
}

static void start(void)
{
    int local = 0;

    pthread_create(&t, NULL, writer, &local);
}

int main(void)
{
    start();
    pthread_join(t, NULL);
    return 0;
}
