// A thread takes a mutex that it holds.
//
// expect: model=rc11 verdict=VIOLATION at=here exit=1
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex); // <- here
    return 0;
}
