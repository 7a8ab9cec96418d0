// Every macro of hwcheck/java.h, in one thread.
//
// expect: model=jam21 executions=1 verdict=SOUND
// expect: model=rc11 executions=1 verdict=SOUND
#include <assert.h>
#include <hwcheck/java.h>

int x;

int main(void)
{
    setPlain(x, 1);
    assert(getPlain(x) == 1);
    setOpaque(x, 2);
    assert(getOpaque(x) == 2);
    setRelease(x, 3);
    assert(getAcquire(x) == 3);
    setVolatile(x, 4);
    assert(getVolatile(x) == 4);
    assert(compareAndSet(x, 4, 5) && !compareAndSet(x, 4, 6));
    assert(weakCompareAndSet(x, 5, 6) && weakCompareAndSetPlain(x, 6, 7));
    assert(weakCompareAndSetAcquire(x, 7, 8));
    assert(weakCompareAndSetRelease(x, 8, 9));
    assert(compareAndExchange(x, 9, 10) == 9);
    assert(compareAndExchangeAcquire(x, 9, 11) == 10);
    assert(compareAndExchangeRelease(x, 10, 11) == 10);
    assert(getAndSet(x, 1) == 11 && getAndSetAcquire(x, 2) == 1);
    assert(getAndSetRelease(x, 3) == 2);
    assert(getAndAdd(x, 1) == 3 && getAndAddAcquire(x, 1) == 4);
    assert(getAndAddRelease(x, 1) == 5);
    assert(getAndBitwiseOr(x, 1) == 6 && getAndBitwiseAnd(x, 3) == 7);
    assert(getAndBitwiseXor(x, 1) == 3 && x == 2);
    fullFence();
    acquireFence();
    releaseFence();
    loadLoadFence();
    storeStoreFence();
    return 0;
}
