// Four threads of three volatile accesses each: as many orders of the volatile
// accesses as possible for each execution. All of them are sequentially
// consistent. -DOPAQUE: the same with opaque accesses. (The program that a
// thesis on model checking JAM21 measures the cost of these orders with.)
//
// expect: model=jam21 executions=4532 blocked=0 verdict=SOUND
// expect: model=rc11 executions=4532 blocked=0 verdict=SOUND
// expect: model=sc executions=4532 blocked=0 verdict=SOUND
#include <hwcheck/java.h>
#include <pthread.h>

#ifdef OPAQUE
#define get getOpaque
#define set setOpaque
#else
#define get getVolatile
#define set setVolatile
#endif

int x, y;

static void *thread_1(void *unused)
{
    set(x, 1);
    get(y);
    set(x, 2);
    return unused;
}

static void *thread_2(void *unused)
{
    get(y);
    set(x, 3);
    get(x);
    return unused;
}

static void *thread_3(void *unused)
{
    set(x, 4);
    set(y, 5);
    get(x);
    return unused;
}

static void *thread_4(void *unused)
{
    set(x, 6);
    set(y, 7);
    get(y);
    return unused;
}

int main(void)
{
    pthread_t t1, t2, t3, t4;
    pthread_create(&t1, NULL, thread_1, NULL);
    pthread_create(&t2, NULL, thread_2, NULL);
    pthread_create(&t3, NULL, thread_3, NULL);
    pthread_create(&t4, NULL, thread_4, NULL);
    return 0;
}
