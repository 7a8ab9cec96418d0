/* Nothing but the exit status. */
#include "ordinary.h"

static void *add(void *n)
{
    *(int *)n += 1;
    return n;
}

int main(void)
{
    int n = 4;
    pthread_t t;
    pthread_create(&t, NULL, add, &n);
    pthread_join(t, NULL);
    return n PLANT(, +1);
}
