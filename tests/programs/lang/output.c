// Printing is no event, so it does not multiply executions.
//
// expect: model=rc11 executions=2 verdict=SOUND
// expect: model=rc11 executions=2 verdict=SOUND options=--show-output
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x;

static void *print(void *arg)
{
    printf("%s sees %d\n", (const char *)arg, x++);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, print, "a");
    pthread_create(&b, NULL, print, "b");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%5.2f %c %%\n", 1.5, 'c');
    return 0;
}
