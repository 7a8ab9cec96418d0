/* Allocated memory. */
// inconclusive: test_one_call of two lines GCC keeps one
#include "ordinary.h"

static void *skip(void *unused)
{
    return unused;
}

/* A pair that a compiler removes, before one that stays. */
static int *stays;

static void *allocate(void *unused)
{
    int *gone = malloc(sizeof *gone);
    *gone = 1;
    int value = *gone;
    free(gone);
    stays = malloc(sizeof *stays);
    *stays = PLANT(value, 2);
    return unused;
}
static int stays_value;

int test_removed_pair(void)
{
    both(allocate, skip);
    stays_value = *stays;
    return 0;
}

/* The pointer alone tells that it is another. */
static int *first, *second, *chosen;

static void *choose(void *unused)
{
    first = malloc(sizeof *first);
    second = malloc(sizeof *second);
    *first = *second = 0;
    chosen = PLANT(first, second);
    return unused;
}

int test_which(void)
{
    both(choose, skip);
    return 0;
}

static int zero;

static void *use_calloc(void *unused)
{
    int *p = calloc(4, sizeof *p);
    p[1] = 5;
    zero = p[0] + p[1] + p[2] + p[3] + PLANT(0, 1);
    free(p);
    return unused;
}

int test_calloc(void)
{
    both(use_calloc, skip);
    return 0;
}

static int grown;

static void *use_realloc(void *unused)
{
    int *p = malloc(2 * sizeof *p);
    p[0] = 1;
    p[1] = 2;
    p = realloc(p, 4 * sizeof *p);
    p[2] = 3;
    p[3] = PLANT(4, 5);
    for (int i = 0; i < 4; i++)
        grown = 10 * grown + p[i];
    free(p);
    return unused;
}

int test_realloc(void)
{
    both(use_realloc, skip);
    return 0;
}

static _Bool is_aligned;

static void *use_aligned(void *unused)
{
    char *p = aligned_alloc(64, 64);
    is_aligned = ((uintptr_t)p % 64 == PLANT(0, 1));
    free(p);
    return unused;
}

int test_aligned(void)
{
    both(use_aligned, skip);
    return 0;
}

/* Handed from thread to thread. */
struct job {
    int number;
    char text[4];
};
static _Atomic(struct job *) handed;
static int number;
static char letter;

static void *hand(void *unused)
{
    struct job *j = malloc(sizeof *j);
    j->number = PLANT(5, 6);
    strcpy(j->text, "abc");
    atomic_store_explicit(&handed, j, RELEASE);
    return unused;
}

static void *work(void *unused)
{
    struct job *j = atomic_exchange_explicit(&handed, NULL, ACQUIRE);
    if (j) {
        number = j->number;
        letter = j->text[1];
        free(j);
    }
    return unused;
}

int test_handed(void)
{
    both(hand, work);
    free(atomic_load(&handed));
    atomic_store(&handed, NULL);
    return 0;
}

/* By each thread one of its own. */
static int *own[2];
static int own_sum;

static void *own_left(void *unused)
{
    own[0] = malloc(sizeof(int));
    *own[0] = 3;
    return unused;
}

static void *own_right(void *unused)
{
    own[1] = malloc(sizeof(int));
    *own[1] = PLANT(4, 5);
    return unused;
}

int test_own(void)
{
    both(own_left, own_right);
    own_sum = *own[0] + *own[1];
    return 0;
}

/* In the middle of it. */
static int *middle;

static void *point_into(void *unused)
{
    int *p = calloc(4, sizeof *p);
    middle = p + PLANT(2, 1);
    return unused;
}

int test_middle(void)
{
    both(point_into, skip);
    return 0;
}

/* As much as the string needs. */
static char *copy;
static char copied;

static void *duplicate(void *unused)
{
    static const char text[] = "copy me";
    copy = malloc(sizeof text);
    memcpy(copy, text, sizeof text);
    copied = copy[PLANT(5, 6)];
    free(copy);
    copy = NULL;
    return unused;
}

int test_duplicate(void)
{
    both(duplicate, skip);
    return 0;
}

/* Allocated and freed in a loop. */
static int rounds;

static void *loop(void *unused)
{
    for (int i = 0; i < 3; i++) {
        int *p = malloc(sizeof *p);
        *p = i;
        rounds += *p + PLANT(1, 2);
        free(p);
    }
    return unused;
}

int test_loop(void)
{
    both(loop, skip);
    return 0;
}

/* Freed by main in the end, NULL too. */
static struct pair {
    int *left, *right;
} pair;

static void *fill_pair(void *unused)
{
    pair.left = malloc(sizeof(int));
    *pair.left = 1;
    pair.right = NULL;
    return unused;
}

int test_null_freed(void)
{
    both(fill_pair, skip);
    free(pair.left);
    free(pair.right);
    pair.left = NULL;
    rounds = PLANT(1, 2);
    return 0;
}

/* Two objects of one call. */
static void *allocated(size_t bytes)
{
    void *result = malloc(bytes);
    if (!result)
        abort();
    return result;
}

static char *former, *latter;

static void *allocate_two(void *unused)
{
    char *a = allocated(4), *b = allocated(4);
    former = PLANT(a, b);
    latter = PLANT(b, a);
    return unused;
}

int test_same_call(void)
{
    both(allocate_two, skip);
    return 0;
}

/* Two calls of which a compiler makes one. */
static char *either;
static int with_first;

static void *allocate_either(void *unused)
{
    if (with_first)
        either = malloc(8);
    else
        either = malloc(8);
    *either = 1;
    with_first = PLANT(1, 2);
    return unused;
}

int test_one_call(void)
{
    both(allocate_either, skip);
    return 0;
}

int main(void)
{
    return 0;
}
