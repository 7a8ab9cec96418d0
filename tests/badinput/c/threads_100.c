#include <pthread.h>
static void *f(void *a)
{
    return a;
}
int main(void)
{
    pthread_t t[100];
    for (int i = 0; i < 100; i++)
        pthread_create(&t[i], 0, f, 0);
    for (int i = 0; i < 100; i++)
        pthread_join(t[i], 0);
    return 0;
}
