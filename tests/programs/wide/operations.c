// What operations on 16 bytes compute, with carries from one half to the other;
// plain accesses to the same variable are of the whole in the source.
//
// expect: executions=1 verdict=SOUND
// expect: mapping=native arch=x86_64 verdict=SOUND flags=-mcx16
// expect: mapping=native arch=x86_64 verdict=SOUND flags=-mcx16,-O0
// expect: mapping=native arch=aarch64 verdict=SOUND flags=-march=armv8-a
// expect: mapping=native arch=aarch64 verdict=SOUND flags=-march=armv8.1-a
// expect: mapping=native arch=aarch64 verdict=SOUND flags=-march=armv8.4-a,-DINIT
// expect: mapping=c11-aarch64-wide arch=aarch64 verdict=SOUND
#include <assert.h>

typedef __int128 wide;
typedef unsigned __int128 number;
#define ALL ((wide)((number)6 << 64 | 0xffffffffffffffff))

wide x = ALL;
number u;

int main(void)
{
#ifdef INIT
    x = 1;
    __atomic_store_n(&x, ALL, __ATOMIC_RELAXED);
#endif
    assert(__atomic_fetch_add(&x, 3, __ATOMIC_RELAXED) == ALL);
    assert(__atomic_fetch_sub(&x, (wide)9 << 64, __ATOMIC_RELAXED) == ALL + 3);
    assert(__atomic_load_n(&x, __ATOMIC_SEQ_CST) == ALL + 3 - ((wide)9 << 64));
    __atomic_store_n(&x, (wide)5 << 64 | 6, __ATOMIC_RELEASE);
    assert(__atomic_or_fetch(&x, (wide)2 << 64 | 1, __ATOMIC_RELAXED) == ((wide)7 << 64 | 7));
    assert(__atomic_and_fetch(&x, (wide)4 << 64 | 5, __ATOMIC_RELAXED) == ((wide)4 << 64 | 5));
    assert(__atomic_xor_fetch(&x, (wide)1 << 64 | 1, __ATOMIC_ACQ_REL) == ((wide)5 << 64 | 4));
    assert(__atomic_exchange_n(&x, -1, __ATOMIC_ACQUIRE) == ((wide)5 << 64 | 4));
    wide e = 7;
    assert(!__atomic_compare_exchange_n(&x, &e, 8, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
    assert(e == -1);
    assert(__atomic_compare_exchange_n(&x, &e, (wide)1 << 100, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
    assert(__atomic_load_n(&x, __ATOMIC_ACQUIRE) == (wide)1 << 100);
    return 0;
}
