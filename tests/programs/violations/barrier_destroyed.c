// A barrier is destroyed while another thread may use it.
//
// expect: model=rc11 verdict=VIOLATION kind=library-misuse at=here exit=1
#include <pthread.h>

static pthread_barrier_t barrier;

static void *wait(void *argument)
{
    pthread_barrier_wait(&barrier); // <- here
    return argument;
}

int main(void)
{
    pthread_t thread;

    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, wait, NULL);
    pthread_barrier_destroy(&barrier);
    return 0;
}
