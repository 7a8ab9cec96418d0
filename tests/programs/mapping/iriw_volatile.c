// Two readers may not disagree on the order of two volatile stores. The cookbook
// has only lwsync between the loads on Power.
//
// expect: mapping=bad-java-power-cookbook arch=ppc64le verdict=MISCOMPILED
// expect: mapping=java-volatile-repaired arch=ppc64le verdict=SOUND
// expect: mapping=java-volatile-hotspot9 arch=ppc64le verdict=SOUND
#include <hwcheck/java.h>
#include <pthread.h>

int x, y;
int r1, r2, r3, r4;

static void *thread_1(void *unused)
{
    setVolatile(x, 1);
    return unused;
}

static void *thread_2(void *unused)
{
    r1 = getVolatile(x);
    r2 = getVolatile(y);
    return unused;
}

static void *thread_3(void *unused)
{
    setVolatile(y, 1);
    return unused;
}

static void *thread_4(void *unused)
{
    r3 = getVolatile(y);
    r4 = getVolatile(x);
    return unused;
}

int main(void)
{
    pthread_t t[4];
    pthread_create(&t[0], 0, thread_1, 0);
    pthread_create(&t[1], 0, thread_2, 0);
    pthread_create(&t[2], 0, thread_3, 0);
    pthread_create(&t[3], 0, thread_4, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    pthread_join(t[2], 0);
    pthread_join(t[3], 0);
    return 0;
}
