// LB with memory taken and given back between the accesses: neither orders them.
//
// expect: model=rc11 executions=3 blocked=0 outcomes=3 verdict=SOUND
// expect: model=sc executions=3 blocked=0 outcomes=3 verdict=SOUND
// expect: model=tso executions=3 blocked=0 outcomes=3 verdict=SOUND
// expect: model=pso executions=3 blocked=0 outcomes=3 verdict=SOUND
// expect: model=ra executions=3 blocked=0 outcomes=3 verdict=SOUND
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int x, y;
int r1, r2;
int *volatile object[2]; // so that the compiler does not leave them out

static void use(int i)
{
    object[i] = malloc(sizeof(int));
    *object[i] = 3;
    free(object[i]);
    object[i] = NULL;
}

static void *thread_1(void *unused)
{
    (void)unused;
    r1 = atomic_load_explicit(&x, memory_order_relaxed);
    use(0);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return NULL;
}

static void *thread_2(void *unused)
{
    (void)unused;
    r2 = atomic_load_explicit(&y, memory_order_relaxed);
    use(1);
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, thread_1, NULL);
    pthread_create(&t2, NULL, thread_2, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
