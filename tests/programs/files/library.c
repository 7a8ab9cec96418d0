/* Functions of the C library that are C themselves, and what else small
 * programs include. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/cdefs.h>
#include <sys/types.h>
#include <unistd.h>

__BEGIN_DECLS
static int by_key(const void *a, const void *b);
__END_DECLS

struct item {
    int key;
    char name[3];
};
struct item items[5] = {{3, "c"}, {1, "a"}, {3, "d"}, {2, "b"}, {1, "e"}};
ssize_t found = -1, missing;
int own, others;

static int by_key(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    return x->key - y->key;
}

static void *set(void *arg)
{
    errno = ERANGE;
    others = errno;
    return arg;
}

int main(void)
{
    pthread_t t;
    struct item key = {2, ""}, none = {7, ""};
    pthread_create(&t, 0, set, 0);
    pthread_join(t, 0);
    own = errno;
    qsort(items, 5, sizeof *items, by_key);
    found =
        (struct item *)bsearch(&key, items, 5, sizeof *items, by_key) - items;
    missing = bsearch(&none, items, 5, sizeof *items, by_key) == 0;
    return 0;
}
