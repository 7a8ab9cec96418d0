/* An atomic variable that clang makes a local one: docs/FINDINGS.md, 1. Each
 * thread says that it is there, and looks who came last if the other one is
 * there too. Then both have come, so both see the same. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int last;
static atomic_int there[2];
static int seen[2];

static void *enter(void *arg)
{
    int me = (int)(intptr_t)arg;

    atomic_store(&last, me + 1);
    atomic_store(&there[me], 1);
    int both = atomic_load(&there[!me]);
    int who = atomic_load(&last);
    seen[me] = both ? who : 0;
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, enter, (void *)0);
    pthread_create(&b, NULL, enter, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(!seen[0] || !seen[1] || seen[0] == seen[1]);
    return 0;
}
