/* A thread ends the program: its status is compared. */
#include "ordinary.h"

static void *end(void *unused)
{
    exit(PLANT(3, 4));
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, end, NULL);
    pthread_join(t, NULL);
    return 0;
}
