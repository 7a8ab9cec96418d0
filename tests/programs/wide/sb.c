// Store buffering with atomics of 16 bytes, as compilers make them: seq_cst
// stores (or, with -DRMW, a read-modify-write in one thread) and loads.
//
// expect: executions=3 outcomes=3 verdict=SOUND
// expect: executions=3 outcomes=3 verdict=SOUND flags=-DONE=BIG,-DRMW
// expect: mapping=native arch=x86_64 verdict=SOUND flags=-mcx16
// expect: mapping=native arch=x86_64 verdict=SOUND flags=-mcx16,-DRMW,-DONE=BIG,-O0
// expect: mapping=native arch=x86_64 verdict=SOUND flags=-mcx16,-mavx,-DONE=BIG
// expect: mapping=native arch=aarch64 verdict=SOUND flags=-march=armv8-a,-DRMW
// expect: mapping=native arch=aarch64 verdict=SOUND flags=-march=armv8-a,-DONE=BIG
// expect: mapping=native arch=aarch64 verdict=SOUND flags=-march=armv8.1-a,-DRMW
// expect: mapping=native arch=aarch64 verdict=SOUND flags=-march=armv8.1-a,-DONE=BIG
// expect: mapping=native arch=aarch64 verdict=SOUND flags=-march=armv8.4-a,-DRMW,-DONE=BIG
// expect: mapping=native arch=aarch64 verdict=SOUND flags=-march=armv8.4-a
// expect: mapping=native arch=ppc64le verdict=SOUND flags=-mcpu=power8,-DONE=BIG
//
// Writes of one half are of another size. QEMU 7.2 lets each stqcx. fail.
// expect: mapping=native arch=x86_64 gap=UNMODELLED flags=-mcx16,-DPLAIN
// expect: mapping=native arch=ppc64le gap=UNMODELLED flags=-mcpu=power8,-DRMW
#include <pthread.h>
#include <stdatomic.h>

typedef __int128 wide;
#define BIG ((wide)7 << 64 | 3)
#ifndef ONE
#define ONE 1
#endif

_Atomic wide x, y;
wide r1, r2;

static void *thread_1(void *unused)
{
#ifdef RMW
    atomic_fetch_add(&x, ONE);
#elif defined PLAIN
    ((long *)&x)[1] = 1;
    atomic_exchange(&x, ONE);
#else
    atomic_store(&x, ONE);
#endif
    r1 = atomic_load(&y);
    return unused;
}

static void *thread_2(void *unused)
{
    atomic_store(&y, ONE);
    r2 = atomic_load(&x);
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
