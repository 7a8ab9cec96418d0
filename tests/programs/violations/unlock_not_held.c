// An unlock of a mutex that nobody holds.
//
// expect: model=rc11 verdict=VIOLATION kind=mutex-misuse at=here exit=1
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
    pthread_mutex_unlock(&mutex); // <- here
    return 0;
}
