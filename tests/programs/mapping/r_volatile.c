// Shape R with volatile accesses: r=0 and x=2 in the end is forbidden. Between the
// two stores of HotSpot 9 on Power is lwsync alone. The smallest program that
// shows it, smaller than the published one (volatile4.c).
//
// expect: mapping=java-volatile-hotspot9 arch=ppc64le verdict=MISCOMPILED
// expect: mapping=java-volatile-ecoop22 arch=ppc64le verdict=SOUND
// expect: mapping=java-volatile-repaired arch=ppc64le verdict=SOUND
#include <hwcheck/java.h>
#include <pthread.h>

int x, y;
int r;

static void *thread_1(void *unused)
{
    setVolatile(y, 1);
    setVolatile(x, 1);
    return unused;
}

static void *thread_2(void *unused)
{
    setVolatile(x, 2);
    r = getVolatile(y);
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
