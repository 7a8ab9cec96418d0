// Shape R, the second store a fully ordered exchange: r=0 and x=2 in the end is
// forbidden. It takes the barrier of the other thread to show that lwsync before
// the exchange is too little (repaired in Linux in 2015).
//
// expect: mapping=bad-linux-power-lwsync-sync arch=ppc64le verdict=MISCOMPILED
// expect: mapping=bad-linux-power-lwsync-isync arch=ppc64le verdict=MISCOMPILED
// expect: mapping=linux-power arch=ppc64le verdict=SOUND
#include <hwcheck/linux.h>
#include <pthread.h>

int x, y;
int r;

static void *thread_1(void *unused)
{
    WRITE_ONCE(y, 1);
    (void)xchg(&x, 1);
    return unused;
}

static void *thread_2(void *unused)
{
    WRITE_ONCE(x, 2);
    smp_mb();
    r = READ_ONCE(y);
    return unused;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, thread_1, 0);
    pthread_create(&t[1], 0, thread_2, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
