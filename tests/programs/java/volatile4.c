// Four threads with volatile accesses alone, after Liu, Bender, Palsberg,
// "Compiling volatile correctly in Java", ECOOP 2022: the third thread passes on
// what the second wrote, and the last sees x change from 1 to 2. Then x = 2 came
// after x = 1, which came after y = 1, so the first thread must see y = 1:
// (r1, r2, r3, r4) = (0, 1, 1, 2) is impossible. JAM19 allows it, and so did the
// machine code for Power.
//
// expect: model=jam21 executions=42 blocked=0 outcomes=42 verdict=SOUND
// expect: model=jam19 executions=47 blocked=0 outcomes=47 verdict=SOUND
// expect: model=jam21-thesis executions=47 blocked=0 verdict=SOUND
// expect: model=jam19 verdict=VIOLATION flags=-DASSERT
// expect: model=jam21 verdict=SOUND flags=-DASSERT
// expect: model=rc11 verdict=SOUND flags=-DASSERT
#include <assert.h>
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
    void *(*const threads[4])(void *) = {thread_1, thread_2, thread_3,
                                         thread_4};
    pthread_t t[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, threads[i], NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
#ifdef ASSERT
    assert(!(r1 == 0 && r2 == 1 && r3 == 1 && r4 == 2));
#endif
    return 0;
}
