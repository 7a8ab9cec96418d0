// The published program (Liu, Bender, Palsberg, ECOOP 2022; JDK-8262877): the last
// thread sees x change from 1 to 2. (r1, r2, r3, r4) = (0, 1, 1, 2) is forbidden.
//
// expect: mapping=java-volatile-hotspot9 arch=ppc64le verdict=MISCOMPILED
// expect: mapping=java-volatile-ecoop22 arch=ppc64le verdict=MISCOMPILED
// expect: mapping=java-volatile-repaired arch=ppc64le verdict=SOUND
#include <hwcheck/java.h>
#include <pthread.h>

int x, y;
int r1, r2, r3, r4;

static void *thread_1(void *unused)
{
    setVolatile(x, 2);
    r1 = getVolatile(y);
    return unused;
}

static void *thread_2(void *unused)
{
    setVolatile(y, 1);
    return unused;
}

static void *thread_3(void *unused)
{
    r2 = getVolatile(y);
    setVolatile(x, 1);
    return unused;
}

static void *thread_4(void *unused)
{
    r3 = getVolatile(x);
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
