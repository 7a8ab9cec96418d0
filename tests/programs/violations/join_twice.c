// A thread that is joined twice.
//
// expect: model=rc11 verdict=VIOLATION kind=thread-misuse at=here exit=1
#include <pthread.h>
#include <stddef.h>

static void *nothing(void *unused)
{
    return unused;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, nothing, NULL);
    pthread_join(t, NULL);
    pthread_join(t, NULL); // <- here
    return 0;
}
