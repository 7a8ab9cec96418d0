/* Unions. */
#include "ordinary.h"

static void *skip(void *unused)
{
    return unused;
}

static union {
    int number;
    char letter;
} either;

static void *as_number(void *unused)
{
    either.number = PLANT(70000, 70001);
    return unused;
}

int test_larger_member(void)
{
    both(as_number, skip);
    return 0;
}

static union {
    short low;
    struct {
        short x, y, z;
    } all;
} three;

static void *by_parts(void *unused)
{
    three.all.x = 1;
    three.all.y = 2;
    three.all.z = PLANT(3, 4);
    return unused;
}

int test_struct_in_union(void)
{
    both(by_parts, skip);
    return 0;
}

/* The bits of a float. */
static unsigned bits;

static void *take_bits(void *unused)
{
    union {
        float f;
        unsigned u;
    } pun = {PLANT(1.5f, 2.5f)};
    bits = pun.u;
    return unused;
}

int test_float_bits(void)
{
    both(take_bits, skip);
    return 0;
}

/* A tagged value. */
static struct value {
    enum { NUMBER, REAL, NAME } tag;
    union {
        long number;
        double real;
        const char *name;
    };
} values[3];

static void *fill_values(void *unused)
{
    values[0] = (struct value){.tag = NUMBER, .number = 7};
    values[1] = (struct value){.tag = REAL, .real = PLANT(0.5, 0.25)};
    values[2] = (struct value){.tag = NAME, .name = "x"};
    return unused;
}

int test_tagged(void)
{
    both(fill_values, skip);
    return 0;
}

static const char *name;

static void *fill_name(void *unused)
{
    values[2] = (struct value){.tag = NAME, .name = PLANT("left", "right")};
    name = values[2].name;
    return unused;
}

int test_tagged_name(void)
{
    both(fill_name, skip);
    return 0;
}

/* Members of one size. */
static union {
    int i;
    unsigned u;
    float f;
} same;

static void *as_unsigned(void *unused)
{
    same.u = PLANT(5u, 6u);
    return unused;
}

int test_same_size(void)
{
    both(as_unsigned, skip);
    return 0;
}

/* An array over bytes. */
static union {
    uint16_t half[4];
    unsigned char byte[8];
} words;

static void *fill_halves(void *unused)
{
    for (int i = 0; i < 4; i++)
        words.half[i] = (uint16_t)(i + PLANT(1, 2));
    return unused;
}

int test_array_in_union(void)
{
    both(fill_halves, skip);
    return 0;
}

/* A member has padding where another has bytes. */
static union {
    struct {
        char kind;
        int number;
    } whole;
    char raw[8];
} padded;

static void *write_padding(void *unused)
{
    padded.whole.number = 0x01010101;
    padded.raw[2] = PLANT(3, 4);
    return unused;
}

int test_padding_of_member(void)
{
    both(write_padding, skip);
    return 0;
}

int main(void)
{
    return 0;
}
