// volatile4.c as the compiler's machine code for Power, in C: an access is opaque,
// sync is a full fence. With -DREPAIRED there is one between the read and the
// write of the third thread; without it the order there is that of lwsync, and
// the outcome that must not be is possible.
//
// expect: model=jam21 verdict=VIOLATION
// expect: model=jam21 verdict=SOUND flags=-DREPAIRED
// expect: model=jam21-thesis verdict=VIOLATION
// expect: model=jam21-thesis verdict=SOUND flags=-DREPAIRED
// expect: model=rc11 verdict=VIOLATION
// expect: model=rc11 verdict=SOUND flags=-DREPAIRED
#include <assert.h>
#include <hwcheck/java.h>
#include <pthread.h>

int x, y;
int r1, r2, r3, r4;

static void *thread_1(void *unused)
{
    setOpaque(x, 2);
    fullFence();
    r1 = getOpaque(y);
    return unused;
}

static void *thread_2(void *unused)
{
    setOpaque(y, 1);
    return unused;
}

static void *thread_3(void *unused)
{
    r2 = getOpaque(y);
#ifdef REPAIRED
    fullFence();
#else
    acquireFence();
    releaseFence();
#endif
    setOpaque(x, 1);
    return unused;
}

static void *thread_4(void *unused)
{
    r3 = getOpaque(x);
    fullFence();
    r4 = getOpaque(x);
    return unused;
}

int main(void)
{
    void *(*const threads[4])(void *) = {thread_1, thread_2, thread_3,
                                         thread_4};
    pthread_t t[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, threads[i], NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    assert(!(r1 == 0 && r2 == 1 && r3 == 1 && r4 == 2));
    return 0;
}
