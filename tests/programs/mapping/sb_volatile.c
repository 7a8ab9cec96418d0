// Store buffering with volatile accesses. A release store (stlr) and a load with
// a fence behind it have nothing between them (JDK-8198950, Android), nor have a
// store without its trailing fence and a load-acquire (JDK-8351997).
//
// expect: mapping=bad-java-aarch64-mixed arch=aarch64 verdict=MISCOMPILED
// expect: mapping=bad-java-aarch64-store arch=aarch64 verdict=MISCOMPILED
// expect: mapping=java-aarch64 arch=aarch64 verdict=SOUND
// expect: mapping=java-aarch64-dmb arch=aarch64 verdict=SOUND
// expect: mapping=java-x86 arch=x86_64 verdict=SOUND
// expect: mapping=java-volatile-repaired arch=ppc64le verdict=SOUND
// expect: mapping=java-volatile-hotspot9 arch=ppc64le verdict=SOUND
// expect: map=T1=bad-java-aarch64-mixed,T2=java-aarch64 arch=aarch64 verdict=MISCOMPILED
// expect: map=T1=java-aarch64-dmb,T2=java-aarch64 arch=aarch64 verdict=SOUND
#include <hwcheck/java.h>
#include <pthread.h>

int x, y;
int r1, r2;

static void *thread_1(void *unused)
{
    setVolatile(x, 1);
    r1 = getVolatile(y);
    return unused;
}

static void *thread_2(void *unused)
{
    setVolatile(y, 1);
    r2 = getVolatile(x);
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
