// Locals whose address goes to helpers: what is inlined costs no event, what is
// not is an object on the stack, and all compute the same.
//
// expect: model=rc11 executions=1 blocked=0 verdict=SOUND
#include <assert.h>
#include <string.h>

struct vector {
    double x, y;
};

static inline void scale(struct vector *v, double by)
{
    v->x *= by;
    v->y *= by;
}

__attribute__((noinline)) static void swap(struct vector *a, struct vector *b)
{
    struct vector t = *a;

    *a = *b;
    *b = t;
}

static int cmp(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void sort(int *items, int n, int (*order)(const void *, const void *))
{
    for (int i = 1; i < n; i++)
        for (int k = i; k > 0 && order(&items[k - 1], &items[k]) > 0; k--) {
            int t = items[k];
            items[k] = items[k - 1];
            items[k - 1] = t;
        }
}

static int depth(int n, int *total)
{
    int here = n;

    *total += here;
    return n ? depth(n - 1, total) + here : 0;
}

int main(void)
{
    struct vector a = {1, 2}, b = {3, 4};
    int items[] = {3, 1, 2}, total = 0;

    scale(&a, 2);
    swap(&a, &b);
    assert(a.y == 4 && b.y == 4 && b.x == 2);
    sort(items, 3, cmp);
    assert(items[0] == 1 && items[2] == 3);
    assert(depth(4, &total) == 10 && total == 10);

    char text[8] = "abc", *end = text + strlen(text);
    *end++ = 'd';
    *end = 0;
    assert(!strcmp(text, "abcd"));
    return 0;
}
