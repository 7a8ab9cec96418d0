#include <pthread.h>
#include <stdlib.h>

static void *leave(void *unused)
{
    (void)unused;
    exit(3);
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, leave, NULL);
    pthread_join(t, NULL);
    return 0;
}
