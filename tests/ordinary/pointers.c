/* Pointers: what they point to is their value. */
// inconclusive: test_hash what is made of an address is not compared
// inconclusive: test_compound the machine code does not say where it is
#include "ordinary.h"

static void *skip(void *unused)
{
    return unused;
}

static int one, two;
static int *to_variable;

static void *point(void *unused)
{
    to_variable = &PLANT(one, two);
    one = 1;
    two = 2;
    return unused;
}

int test_variable(void)
{
    both(point, skip);
    return 0;
}

static int add(int a, int b)
{
    return a + b;
}

static int multiply(int a, int b)
{
    return a * b;
}

static int (*operation)(int, int);
static int result;

static void *choose(void *unused)
{
    operation = PLANT(multiply, add);
    return unused;
}

static void *apply(void *unused)
{
    result = operation(6, 7);
    return unused;
}

int test_function(void)
{
    in_turn(choose, apply);
    return 0;
}

static int (*const operations[])(int, int) = {add, multiply};
static int results[2];

static void *apply_all(void *unused)
{
    for (int i = 0; i < 2; i++)
        results[i] = operations[PLANT(i, 0)](3, 4);
    return unused;
}

int test_table_of_functions(void)
{
    both(apply_all, skip);
    return 0;
}

static const char *literal;

static void *take_literal(void *unused)
{
    literal = PLANT("this", "that");
    return unused;
}

int test_literal(void)
{
    both(take_literal, skip);
    return 0;
}

static const char *in_literal;

static void *take_end(void *unused)
{
    in_literal = "suffix" + PLANT(3, 2);
    return unused;
}

int test_in_literal(void)
{
    both(take_end, skip);
    return 0;
}

static int items[4], after;
static int *end;

static void *take_past(void *unused)
{
    end = items + PLANT(4, 3);
    after = 1;
    return unused;
}

int test_past_the_end(void)
{
    both(take_past, skip);
    return 0;
}

static int alone, neighbour;
static int *past_alone;

static void *take_past_alone(void *unused)
{
    alone = neighbour = 1;
    past_alone = PLANT(&alone + 1, &alone);
    return unused;
}

int test_past_a_variable(void)
{
    both(take_past_alone, skip);
    return 0;
}

/* Walked from the first to the last. */
static int walked;

static void *walk(void *unused)
{
    for (int *p = items; p != items + PLANT(4, 3); p++)
        walked += 1 + *p;
    return unused;
}

int test_walk(void)
{
    both(walk, skip);
    return 0;
}

static struct node {
    struct node *next;
    int value;
} nodes[3];

static void *link_nodes(void *unused)
{
    for (int i = 0; i < 3; i++) {
        nodes[i].value = i;
        nodes[i].next = i < 2 ? &nodes[i + 1] : PLANT(NULL, &nodes[0]);
    }
    return unused;
}

int test_linked(void)
{
    both(link_nodes, skip);
    return 0;
}

static int *to_field;
static struct {
    char c;
    int a, b;
} fields;

static void *point_to_field(void *unused)
{
    to_field = &fields.PLANT(b, a);
    *to_field = 5;
    return unused;
}

int test_field(void)
{
    both(point_to_field, skip);
    return 0;
}

static int **to_pointer;

static void *point_to_pointer(void *unused)
{
    to_variable = &one;
    to_pointer = &to_variable;
    **to_pointer = PLANT(9, 8);
    return unused;
}

int test_pointer_to_pointer(void)
{
    both(point_to_pointer, skip);
    return 0;
}

static ptrdiff_t distance;

static void *measure(void *unused)
{
    int *from = &items[PLANT(1, 2)], *to = &items[3];
    distance = to - from;
    return unused;
}

int test_difference(void)
{
    both(measure, skip);
    return 0;
}

static void *anything;

static void *point_anywhere(void *unused)
{
    anything = PLANT((void *)&fields, NULL);
    return unused;
}

int test_void(void)
{
    both(point_anywhere, skip);
    return 0;
}

/* A function of the library. */
static size_t (*measure_string)(const char *);
static size_t measured;

static void *choose_library(void *unused)
{
    measure_string = strlen;
    measured = measure_string(PLANT("four", "five!"));
    return unused;
}

int test_library_function(void)
{
    both(choose_library, skip);
    return 0;
}

/* Swapped through pointers. */
static int left = 1, right = 2;

static __attribute__((noinline)) void swap(int *a, int *b)
{
    int old = *a;
    *a = *b;
    *b = PLANT(old, *a);
}

static void *swap_both(void *unused)
{
    swap(&left, &right);
    return unused;
}

int test_swapped(void)
{
    both(swap_both, skip);
    return 0;
}

/* Published by a flag that is the pointer itself. */
static struct {
    int a, b;
} payload;
static _Atomic(void *) published;
static int payload_seen;

static void *publish(void *unused)
{
    payload.a = 1;
    payload.b = PLANT(2, 3);
    atomic_store_explicit(&published, &payload, RELEASE);
    return unused;
}

static void *consume(void *unused)
{
    int *p = atomic_load_explicit(&published, ACQUIRE);
    payload_seen = p ? p[0] + p[1] : 0;
    return unused;
}

int test_published(void)
{
    both(publish, consume);
    return 0;
}

/* A function of which a compiler makes copies for each argument. */
static __attribute__((noinline)) void add_up(int *to, int n)
{
    for (int i = 0; i < n; i++)
        *to += i * n;
}

static void (*adder)(int *, int);
static int added[2];

static void *add_ups(void *unused)
{
    add_up(&added[0], 3);
    add_up(&added[0], 5);
    add_up(&added[1], PLANT(7, 8));
    adder = add_up;
    return unused;
}

int test_copied_function(void)
{
    both(add_ups, skip);
    return 0;
}

/* A compound literal that is no function's has no name. */
static struct pair {
    int a, b;
} *unnamed = &(struct pair){1, 2}, *moved;

static void *move_unnamed(void *unused)
{
    moved = PLANT(unnamed, NULL);
    unnamed = NULL;
    return unused;
}

int test_compound(void)
{
    both(move_unnamed, skip);
    return 0;
}

/* A number that is made of the address of a variable. */
static unsigned hash;

static void *hash_address(void *unused)
{
    hash = (unsigned)((uintptr_t)&one * 2654435761u >> 7);
    two = PLANT(1, 2);
    return unused;
}

int test_hash(void)
{
    both(hash_address, skip);
    return 0;
}

int main(void)
{
    return 0;
}
