// A wait at a barrier that no one has initialised.
//
// expect: model=rc11 verdict=VIOLATION kind=library-misuse at=here exit=1
#include <pthread.h>

static pthread_barrier_t barrier;

int main(void)
{
    pthread_barrier_wait(&barrier); // <- here
    return 0;
}
