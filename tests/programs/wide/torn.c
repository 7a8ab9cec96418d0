// A value of 16 bytes whose halves are equal is never seen with other halves,
// however it is written; unless an access is two, as ldp and stp are before
// ARMv8.4 (torn.map, torn-load.map), or an ldxp without its stxp (lone.map).
//
// expect: verdict=SOUND
// expect: mapping=native arch=x86_64 verdict=SOUND flags=-mcx16
// expect: mapping=native arch=x86_64 verdict=SOUND flags=-mcx16,-mavx
// expect: mapping=native arch=aarch64 verdict=SOUND flags=-march=armv8-a
// expect: mapping=native arch=aarch64 verdict=SOUND flags=-march=armv8.1-a
// expect: mapping=native arch=aarch64 verdict=SOUND flags=-march=armv8.4-a
// expect: mapping=native arch=ppc64le verdict=SOUND flags=-mcpu=power8
// expect: mapping=c11-aarch64-wide arch=aarch64 verdict=SOUND
// expect: mapping=c11-aarch64-lse2 arch=aarch64 verdict=SOUND
// expect: mapping=torn.map arch=aarch64 verdict=MISCOMPILED
// expect: mapping=torn.map arch=aarch64 verdict=SOUND flags=-march=armv8.4-a
// expect: mapping=torn-load.map arch=aarch64 verdict=MISCOMPILED
// expect: mapping=torn-load.map arch=aarch64 verdict=SOUND flags=-march=armv8.4-a
// expect: mapping=lone.map arch=aarch64 gap=UNMODELLED
// expect: mapping=lone.map arch=aarch64 gap=UNMODELLED flags=-march=armv8.4-a
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
    long low, high;
} __attribute__((aligned(16)));

_Atomic struct pair x;

static void *writer(void *unused)
{
    for (long i = 1; i <= 2; i++)
        atomic_store_explicit(&x, ((struct pair){-i, -i}), memory_order_relaxed);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    struct pair seen = atomic_load_explicit(&x, memory_order_relaxed);
    assert(seen.low == seen.high);
    pthread_join(t, 0);
    return 0;
}
