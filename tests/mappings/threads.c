// Two threads that share a function, for --map; macros make it something that
// --map or --mapping refuses.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static atomic_int x;
static int hidden; // a variable of the file must stay one in all copies
int seen;

static void shared(int value)
{
    atomic_store(&x, value);
    hidden += atomic_exchange(&x, value + 1);
}

static void *worker(void *unused)
{
    shared(1);
    return unused;
}

static void *worker2(void *unused)
{
    shared(2);
    return unused;
}

#ifdef INDIRECT
static void indirect(int value)
{
    atomic_store(&x, value);
}
void (*pointer)(int) = indirect;
#endif
#ifdef WIDE
_Atomic __int128 wide;
#endif
#ifdef COPY
struct big {
    long words[9];
} from, to;
#endif

int main(void)
{
    pthread_t t;
#ifdef UNKNOWN
    void *(*start)(void *) = rand() ? worker : worker2;
#else
    void *(*start)(void *) = worker;
#endif
    atomic_exchange(&x, 7);
    pthread_create(&t, 0, start, 0);
    pthread_join(t, 0);
    pthread_create(&t, 0, worker2, 0);
    pthread_join(t, 0);
    seen = hidden;
    if (seen != 3)
        abort();
#ifdef INDIRECT
    pointer(4);
#endif
#ifdef WIDE
    wide = 1;
#endif
#ifdef COPY
    to = from;
#endif
    return 0;
}
