// Two plain writes without order.
//
// expect: model=rc11 verdict=VIOLATION kind=data-race at=here exit=1
#include <pthread.h>
#include <stddef.h>

static int x;

static void *writer(void *unused)
{
    (void)unused;
    x = 1; // <- here
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, writer, NULL);
    pthread_create(&t2, NULL, writer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
