// Store buffering with read-modify-writes as the stores.
//
// expect: mapping=bad-linux-aarch64-ldaxr-stlxr arch=aarch64 verdict=MISCOMPILED
// expect: mapping=linux-aarch64 arch=aarch64 verdict=SOUND
// expect: mapping=linux-aarch64-lse arch=aarch64 verdict=SOUND
// expect: mapping=bad-linux-power-lwsync-isync arch=ppc64le verdict=MISCOMPILED
// expect: mapping=linux-power arch=ppc64le verdict=SOUND
// expect: mapping=bad-linux-power-lwsync-sync arch=ppc64le verdict=SOUND
#include <hwcheck/linux.h>
#include <pthread.h>

int x, y;
int r1, r2;

static void *thread_1(void *unused)
{
    (void)xchg(&x, 1);
    r1 = READ_ONCE(y);
    return unused;
}

static void *thread_2(void *unused)
{
    (void)xchg(&y, 1);
    r2 = READ_ONCE(x);
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
