// Message passing: who sees y sees x.
//
// expect: mapping=bad-power-release-none arch=ppc64le verdict=MISCOMPILED
// expect: mapping=bad-power-acquire-none arch=ppc64le verdict=MISCOMPILED
// expect: mapping=bad-power-acquire-branch arch=ppc64le verdict=MISCOMPILED
// expect: mapping=bad-power-acquire-isync arch=ppc64le verdict=MISCOMPILED
// expect: mapping=c11-power-leading-sync arch=ppc64le verdict=SOUND
// expect: mapping=c11-power-trailing-sync arch=ppc64le verdict=SOUND
// expect: mapping=c11-power-no-lb arch=ppc64le verdict=SOUND
// expect: mapping=bad-power-acquire-isync arch=ppc64 verdict=MISCOMPILED
// expect: mapping=c11-power-leading-sync arch=ppc64 verdict=SOUND
// expect: mapping=c11-aarch64-ldapr arch=aarch64 verdict=SOUND
// expect: mapping=c11-aarch64-dmb arch=aarch64 verdict=SOUND
// expect: map=T2=bad-power-acquire-branch,T1=c11-power-leading-sync arch=ppc64le verdict=MISCOMPILED
// expect: map=T1=bad-power-acquire-branch,T2=c11-power-leading-sync arch=ppc64le verdict=SOUND
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int r1, r2;

static void *thread_1(void *unused)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_release);
    return unused;
}

static void *thread_2(void *unused)
{
    r1 = atomic_load_explicit(&y, memory_order_acquire);
    r2 = atomic_load_explicit(&x, memory_order_relaxed);
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
