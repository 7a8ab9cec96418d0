// A wait that counts its rounds, to yield now and then; nothing else looks at
// the count. With USED something does, with LAST only at whether there were
// two.
//
// expect: model=sc executions=1 verdict=SOUND
// expect: model=rc11 executions=1 verdict=SOUND
// expect: model=rc11 verdict=INCONCLUSIVE flags=-DUSED
// expect: model=rc11 executions=3 verdict=SOUND flags=-DLAST
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;
int rounds;

static void *waiter(void *unused)
{
    int n = 0;

    while (!atomic_load_explicit(&flag, memory_order_acquire)) {
#ifdef LAST
        n = n < 2 ? n + 1 : n;
#else
        if (++n % 100 == 0)
            sched_yield();
#endif
    }
#if defined USED || defined LAST
    rounds = n;
#endif
    return unused;
}

static void *setter(void *unused)
{
    atomic_store_explicit(&flag, 1, memory_order_release);
    return unused;
}

int main(void)
{
    pthread_t w, s;

    pthread_create(&w, NULL, waiter, NULL);
    pthread_create(&s, NULL, setter, NULL);
    pthread_join(w, NULL);
    pthread_join(s, NULL);
    return 0;
}
