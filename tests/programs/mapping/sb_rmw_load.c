// Store buffering with a read-modify-write in one thread. Loads with a barrier
// only behind them may pass the write of the ldaxr and stlxr before them; so they
// do in code for 16 bytes (LLVM #62652), and where the stores of ARMv8.0 objects
// meet the loads of ARMv8.4 ones (LLVM #81978).
//
// expect: mapping=bad-aarch64-lse2-load arch=aarch64 verdict=MISCOMPILED
// expect: mapping=bad-aarch64-lse2-load arch=aarch64 verdict=MISCOMPILED flags=-DWORD=__int128
// expect: mapping=bad-aarch64-lse2-load arch=aarch64 verdict=SOUND flags=-DWORD=__int128,-DSTORE
// expect: mapping=c11-aarch64-lse2 arch=aarch64 verdict=SOUND
// expect: mapping=c11-aarch64-lse2 arch=aarch64 verdict=SOUND flags=-DWORD=__int128
// expect: mapping=c11-aarch64-lse2-dmb arch=aarch64 verdict=SOUND flags=-DWORD=__int128
// expect: mapping=c11-aarch64-wide arch=aarch64 verdict=SOUND flags=-DWORD=__int128
// expect: mapping=c11-aarch64-dmb arch=aarch64 verdict=SOUND
// expect: mapping=bad-aarch64-lse2-mixed arch=aarch64 verdict=MISCOMPILED flags=-DSTORE
// expect: map=T1=c11-aarch64-dmb,T2=bad-aarch64-lse2-mixed arch=aarch64 verdict=MISCOMPILED flags=-DSTORE
// expect: map=T1=bad-aarch64-lse2-load,T2=bad-aarch64-lse2-mixed arch=aarch64 verdict=MISCOMPILED flags=-DSTORE,-DWORD=__int128
// expect: map=T1=c11-aarch64-wide,T2=bad-aarch64-lse2-load arch=aarch64 verdict=SOUND flags=-DSTORE,-DWORD=__int128
// expect: map=T1=c11-aarch64-lse2,T2=c11-aarch64-lse2-mixed arch=aarch64 verdict=SOUND flags=-DSTORE,-DWORD=__int128
// expect: mapping=c11-aarch64-lse2-mixed arch=aarch64 verdict=SOUND flags=-DSTORE
#include <pthread.h>
#include <stdatomic.h>

#ifndef WORD
#define WORD long
#endif
_Atomic WORD x, y;
WORD r1, r2;

static void *thread_1(void *unused)
{
#ifdef STORE
    atomic_store(&x, 1);
#else
    atomic_fetch_add(&x, 1);
#endif
    r1 = atomic_load(&y);
    return unused;
}

static void *thread_2(void *unused)
{
    atomic_store(&y, 1);
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
