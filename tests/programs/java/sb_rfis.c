// Store buffering where each thread reads its own release store first, by a
// volatile read. RC11 lets both miss the other's store; in JAM a read from its
// own thread's store is visibility, too.
//
// expect: model=rc11 executions=4 blocked=0 verdict=SOUND
// expect: model=jam21 executions=3 blocked=0 verdict=SOUND
// expect: model=jam19 executions=3 blocked=0 verdict=SOUND
// expect: model=jam21-thesis executions=3 blocked=0 verdict=SOUND
#include <hwcheck/java.h>
#include <pthread.h>

int x, y;

static void *thread_1(void *unused)
{
    setRelease(x, 1);
    getVolatile(x);
    getVolatile(y);
    return unused;
}

static void *thread_2(void *unused)
{
    setRelease(y, 1);
    getVolatile(y);
    getVolatile(x);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, thread_1, NULL);
    pthread_create(&t2, NULL, thread_2, NULL);
    return 0;
}
