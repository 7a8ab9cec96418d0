// A lock by compareAndSet that guards plain data.
//
// expect: model=jam21 executions=2 verdict=SOUND
// expect: model=jam19 executions=2 verdict=SOUND
// expect: model=jam21 verdict=INCONCLUSIVE gap=UNMODELLED flags=-DNOLOCK
#include <assert.h>
#include <hwcheck/java.h>
#include <pthread.h>

int lock, data, other;

static void *thread(void *unused)
{
#ifndef NOLOCK
    while (!compareAndSet(lock, 0, 1))
        ;
#endif
    data++;
    other = data;
#ifndef NOLOCK
    setRelease(lock, 0);
#endif
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, thread, NULL);
    pthread_create(&t2, NULL, thread, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
#ifndef NOLOCK
    assert(data == 2 && other == 2);
#endif
    return 0;
}
