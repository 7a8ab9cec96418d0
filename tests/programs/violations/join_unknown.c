// A join of something that is no thread.
//
// expect: model=rc11 verdict=VIOLATION kind=thread-misuse at=here exit=1
#include <pthread.h>
#include <stddef.h>

static pthread_t never_created;

int main(void)
{
    pthread_join(never_created + 1234567, NULL); // <- here
    return 0;
}
