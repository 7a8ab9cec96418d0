// A thread reads an object that main frees without waiting.
//
// expect: model=sc verdict=VIOLATION kind=use-after-free exit=1
// expect: model=rc11 verdict=VIOLATION kind=use-after-free exit=1
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static void *reader(void *arg)
{
    (void)atomic_load((atomic_int *)arg);
    return NULL;
}

int main(void)
{
    pthread_t t;
    atomic_int *object = malloc(sizeof *object);

    atomic_init(object, 1);
    pthread_create(&t, NULL, reader, object);
    free(object);
    pthread_join(t, NULL);
    return 0;
}
