#include <pthread.h>
#include <stddef.h>

static void *nothing(void *unused)
{
    return unused;
}

int main(void)
{
    for (;;) {
        pthread_t t;
        pthread_create(&t, NULL, nothing, NULL);
    }
}
