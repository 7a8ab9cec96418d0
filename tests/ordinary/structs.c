/* Structs: fields that are stored together, copies, nesting, padding. */
#include "ordinary.h"

/* Two stores that a compiler makes one. */
static struct {
    int a, b;
} pair;

static void *fill_pair(void *unused)
{
    pair.a = 1;
    pair.b = PLANT(2, 3);
    return unused;
}

static void *skip(void *unused)
{
    return unused;
}

int test_merged_fields(void)
{
    both(fill_pair, skip);
    return 0;
}

/* Fields of all sizes, with padding between. */
struct mixed {
    char c;
    short s;
    int i;
    long l;
    char end;
};
static struct mixed mixed;

static void *fill_mixed(void *unused)
{
    mixed.c = 'x';
    mixed.s = -2;
    mixed.i = 3;
    mixed.l = 4000000000;
    mixed.end = PLANT('y', 'z');
    return unused;
}

int test_mixed_sizes(void)
{
    both(fill_mixed, skip);
    return 0;
}

/* A copy of all of it, padding included. */
static struct mixed first, second;

static void *fill_first(void *unused)
{
    first = (struct mixed){'a', 1, 2, 3, 'b'};
    return unused;
}

static void *copy_first(void *unused)
{
    second = first;
    PLANT((void)0, second.i = 7);
    return unused;
}

int test_copied_struct(void)
{
    in_turn(fill_first, copy_first);
    return 0;
}

/* By value, as parameter and result. */
struct point {
    int x, y;
};
static struct point moved;

static __attribute__((noinline)) struct point move(struct point p, int dx)
{
    p.x += dx;
    p.y -= PLANT(dx, 0);
    return p;
}

static void *move_twice(void *unused)
{
    moved = move(move((struct point){10, 20}, 1), 2);
    return unused;
}

int test_struct_by_value(void)
{
    both(move_twice, skip);
    return 0;
}

/* Threads with fields of their own. */
static struct {
    long left, right;
} sides;

static void *left_side(void *unused)
{
    for (int i = 1; i <= 4; i++)
        sides.left += i;
    return unused;
}

static void *right_side(void *unused)
{
    for (int i = 1; i <= 4; i++)
        sides.right += PLANT(i, 2 * i);
    return unused;
}

int test_own_fields(void)
{
    both(left_side, right_side);
    return 0;
}

/* Nested structs, and an anonymous one. */
static struct outer {
    struct inner {
        short a, b;
    } in[2];
    struct {
        unsigned char r, g, b;
    };
} outer;

static void *fill_outer(void *unused)
{
    outer.in[0] = (struct inner){1, 2};
    outer.in[1].b = 3;
    outer.r = 255;
    outer.g = PLANT(128, 129);
    outer.b = 1;
    return unused;
}

int test_nested(void)
{
    both(fill_outer, skip);
    return 0;
}

/* Two fields whose names are long and end differently. */
#define LONG_NAME(end) \
    a_very_long_name_of_a_member_that_goes_on_and_on_as_generated_code_has_it_##end
struct deep {
    struct {
        struct {
            struct {
                struct {
                    int LONG_NAME(one), LONG_NAME(two);
                } LONG_NAME(d);
            } LONG_NAME(c);
        } LONG_NAME(b);
    } LONG_NAME(a);
};
static struct deep deep;

static void *fill_deep(void *unused)
{
    int *one =
        &deep.LONG_NAME(a).LONG_NAME(b).LONG_NAME(c).LONG_NAME(d).LONG_NAME(
            one);
    int *two =
        &deep.LONG_NAME(a).LONG_NAME(b).LONG_NAME(c).LONG_NAME(d).LONG_NAME(
            two);
    *PLANT(one, two) = 1;
    *PLANT(two, one) = 2;
    return unused;
}

int test_long_names(void)
{
    both(fill_deep, skip);
    return 0;
}

/* Pointers to such fields. */
static int *to_deep;

static void *point_deep(void *unused)
{
    to_deep = &deep.LONG_NAME(a).LONG_NAME(b).LONG_NAME(c).LONG_NAME(d).PLANT(
        LONG_NAME(one), LONG_NAME(two));
    return unused;
}

int test_long_pointer(void)
{
    both(point_deep, skip);
    return 0;
}

/* Packed, so that fields are not aligned. */
static struct __attribute__((packed)) {
    char tag;
    int value;
    short more;
} packed;

static void *fill_packed(void *unused)
{
    packed.tag = 1;
    packed.value = PLANT(0x12345678, 0x12345679);
    packed.more = -1;
    return unused;
}

int test_packed(void)
{
    both(fill_packed, skip);
    return 0;
}

/* A flexible array at the end of what is allocated. */
struct flexible {
    int n;
    int item[];
};
static int flexible_sum;

static void *use_flexible(void *unused)
{
    struct flexible *f = malloc(sizeof *f + 3 * sizeof f->item[0]);
    f->n = 3;
    for (int i = 0; i < f->n; i++)
        f->item[i] = i + 1;
    for (int i = 0; i < PLANT(f->n, 2); i++)
        flexible_sum += f->item[i];
    free(f);
    return unused;
}

int test_flexible_array(void)
{
    both(use_flexible, skip);
    return 0;
}

/* What other thread sees behind a flag. */
static struct {
    int x, y, z;
} message;
static atomic_int ready;
static int seen;

static void *send(void *unused)
{
    message.x = 1;
    message.y = 2;
    message.z = 3;
    atomic_store_explicit(&ready, 1, RELEASE);
    return unused;
}

static void *receive(void *unused)
{
    seen = -1;
    if (atomic_load_explicit(&ready, ACQUIRE))
        seen = message.x + 10 * message.y + PLANT(100, 10) * message.z;
    return unused;
}

int test_message(void)
{
    both(send, receive);
    return 0;
}

/* Zeroed by an assignment, one field kept. */
static struct {
    int a, b, c, d;
} cleared = {1, 2, 3, 4};

static void *clear(void *unused)
{
    int b = cleared.b;
    memset(&cleared, 0, sizeof cleared);
    cleared.b = PLANT(b, 0);
    return unused;
}

int test_cleared(void)
{
    both(clear, skip);
    return 0;
}

/* Elements behind the struct, and in its padding. */
static struct {
    int n;
    short at[];
} flexible = {3, {1, 2, 3}};
static struct {
    int n;
    char kind, at[];
} in_padding = {2, 7, {1, 2}};

static void *fill_flexible(void *unused)
{
    flexible.at[0] = 7;
    flexible.at[2] = PLANT(8, 9);
    return unused;
}

int test_flexible(void)
{
    both(fill_flexible, skip);
    return 0;
}

static void *fill_padding(void *unused)
{
    in_padding.n = 2;
    in_padding.at[1] = PLANT(8, 9);
    return unused;
}

int test_flexible_in_padding(void)
{
    both(fill_padding, skip);
    return 0;
}

/* In a section of its own. */
static int placed __attribute__((section("own_section"))) = 4;

static void *set_placed(void *unused)
{
    placed = PLANT(5, 6);
    return unused;
}

int test_section(void)
{
    both(set_placed, skip);
    return 0;
}

int main(void)
{
    return 0;
}
