// Structs, unions, bit fields, arrays, pointers, and initializers of them all.
//
// expect: model=rc11 executions=1 blocked=0 verdict=SOUND
#include <assert.h>
#include <complex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct list {
    int value;
    struct list *next;
};
static struct list third = {3, NULL}, second = {2, &third}, first = {1, &second};

static struct {
    unsigned low : 3, middle : 9, high : 20;
    union {
        uint32_t word;
        uint8_t bytes[4];
        struct {
            uint16_t a, b;
        };
    };
    int matrix[2][3];
    char text[6];
    bool flag;
} mixed = {.middle = 257, .matrix = {[1] = {[2] = 7}}, .text = "hello"};

static int *pointers[] = {&mixed.matrix[1][2], &third.value, NULL};
static const char *const names[] = {"zero", "one"};

struct flexible {
    int n;
    int items[];
};
static struct flexible flexible = {2, {4, 5}};

struct large {
    long words[9];
};

static struct large make(long n)
{
    struct large result;

    for (int i = 0; i < 9; i++)
        result.words[i] = n * i;
    return result;
}

static long sum(struct large x, struct large *y)
{
    long total = 0;

    for (int i = 0; i < 9; i++)
        total += x.words[i] + y->words[i];
    x.words[0] = 100; /* a copy */
    return total;
}

int main(void)
{
    int total = 0;

    for (const struct list *l = &first; l; l = l->next)
        total += l->value;
    assert(total == 6);
    assert(mixed.middle == 257 && mixed.low == 0);
    mixed.low = first.value * 9; /* cut to three bits */
    mixed.high = 0xfffff;
    assert(mixed.low == 1 && mixed.high == 0xfffff && mixed.middle == 257);
    mixed.word = 0x01020304;
    assert(mixed.bytes[0] + mixed.bytes[3] == 5 && mixed.a + mixed.b == 0x0406);
    assert(*pointers[0] == 7 && *pointers[1] == 3 && !pointers[2]);
    assert(names[1][0] == 'o' && strcmp(mixed.text, "hello") == 0);
    assert(flexible.items[flexible.n - 1] == 5);

    struct large a = make(1), b = make(2), c = a;
    assert(sum(a, &b) == 36 * 3 && a.words[0] == 0);
    assert(memcmp(&a, &c, sizeof a) == 0);
    a = (struct large){.words = {[8] = 1}};
    assert(a.words[8] == 1 && a.words[1] == 0);

    __int128 wide = (__int128)1 << 100;
    double complex z = 1 + 2 * I;
    long double precise = 1.0L / 3;
    assert((int)(wide >> 98) == 4 && creal(z * z) == -3.0);
    assert(precise * 3 == 1.0L);

    int n = total, variable[n];
    for (int i = 0; i < n; i++)
        variable[i] = i;
    assert(variable[n - 1] == 5 && sizeof variable == 24);
    assert(offsetof(struct list, next) == 8);
    return 0;
}
