// A message by smp_wmb and smp_rmb, and a count by fully ordered and by relaxed
// atomics. -DWRONG: without smp_rmb, and nothing orders the two reads.
//
// expect: model=lkmm verdict=SOUND
// expect: model=lkmm verdict=VIOLATION flags=-DWRONG
#include <assert.h>
#include <hwcheck/linux.h>
#include <pthread.h>

int data, flag;
atomic_t count = ATOMIC_INIT(0);

static void *writer(void *unused)
{
    WRITE_ONCE(data, 42);
    smp_wmb();
    WRITE_ONCE(flag, 1);
    assert(atomic_add_return(2, &count) >= 2);
    return unused;
}

static void *reader(void *unused)
{
    if (READ_ONCE(flag)) {
#ifndef WRONG
        smp_rmb();
#endif
        assert(READ_ONCE(data) == 42);
    }
    atomic_inc(&count);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, writer, NULL);
    pthread_create(&t2, NULL, reader, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(atomic_cmpxchg(&count, 3, 4) == 3 && atomic_xchg(&count, 5) == 4);
    smp_mb();
    assert(smp_load_acquire(&flag) == 1 && atomic_read(&count) == 5);
    return 0;
}
