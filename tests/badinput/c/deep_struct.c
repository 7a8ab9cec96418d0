/* Aggregates by value: memcpy of more than a word. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

struct big {
    char text[100];
    int n;
};

static struct big a, b;

static void *copy(void *unused)
{
    (void)unused;
    b = a;
    return NULL;
}

int main(void)
{
    pthread_t t;

    strcpy(a.text, "hello");
    a.n = 5;
    pthread_create(&t, NULL, copy, NULL);
    pthread_join(t, NULL);
    assert(b.n == 5 && strcmp(b.text, "hello") == 0);
    return 0;
}
