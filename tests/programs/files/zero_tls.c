/* Thread-local variables that are all zero in the beginning, and a local array
 * that the stack protector watches. */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static _Thread_local int own;
atomic_int sum;
int seen;

__attribute__((noinline)) static int second(const char *text)
{
    char copy[16];
    strcpy(copy, text);
    return copy[1];
}

static void *add(void *arg)
{
    own += 2;
    own++;
    seen = second(arg);
    atomic_fetch_add(&sum, own);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, add, "abc");
    own = 5;
    pthread_join(t, 0);
    atomic_fetch_add(&sum, own);
    return 0;
}
