/* Strings and the functions of <string.h>. */
#include "ordinary.h"

static void *skip(void *unused)
{
    return unused;
}

static char copied[8];

static void *copy(void *unused)
{
    strcpy(copied, PLANT("hello", "hallo"));
    return unused;
}

int test_strcpy(void)
{
    both(copy, skip);
    return 0;
}

static char joined[16];

static void *join(void *unused)
{
    strcpy(joined, "one");
    strcat(joined, "+");
    strcat(joined, PLANT("two", "too"));
    return unused;
}

int test_strcat(void)
{
    both(join, skip);
    return 0;
}

static char filled[24];

static void *fill(void *unused)
{
    memset(filled, PLANT('-', '+'), sizeof filled - 1);
    return unused;
}

int test_memset(void)
{
    both(fill, skip);
    return 0;
}

static char text[] = "a word";
static size_t length;

static void *measure(void *unused)
{
    length = strlen(text) + PLANT(0, 1);
    return unused;
}

int test_strlen(void)
{
    both(measure, skip);
    return 0;
}

static char reversed[8] = "abcdef";

static void *reverse(void *unused)
{
    size_t n = strlen(reversed);
    for (size_t i = 0; i < PLANT(n / 2, n); i++) {
        char c = reversed[i];
        reversed[i] = reversed[n - 1 - i];
        reversed[n - 1 - i] = c;
    }
    return unused;
}

int test_reversed(void)
{
    both(reverse, skip);
    return 0;
}

static const char *const words[] = {"zero", "one", "two"};
static char chosen[8];

static void *choose(void *unused)
{
    strncpy(chosen, words[PLANT(2, 1)], sizeof chosen);
    return unused;
}

int test_strncpy_of_table(void)
{
    both(choose, skip);
    return 0;
}

static int order;

static void *compare(void *unused)
{
    order = (strcmp(text, "a wore") PLANT(<, >) 0) +
            2 * (memcmp("abc", "abd", 3) < 0) + 4 * (strcmp(text, text) == 0);
    return unused;
}

int test_compared(void)
{
    both(compare, skip);
    return 0;
}

static char overlap[12] = "0123456789";

static void *move(void *unused)
{
    memmove(overlap + 2, overlap, PLANT(6, 5));
    return unused;
}

int test_memmove(void)
{
    both(move, skip);
    return 0;
}

static char *found;

static void *find(void *unused)
{
    found = strchr(text, PLANT('w', 'o'));
    return unused;
}

int test_strchr(void)
{
    both(find, skip);
    return 0;
}

/* Digits made by hand. */
static char digits[12];

static void *print_number(void *unused)
{
    unsigned value = PLANT(40961, 40960);
    char back[12];
    int n = 0;
    do
        back[n++] = (char)('0' + value % 10);
    while (value /= 10);
    for (int i = 0; i < n; i++)
        digits[i] = back[n - 1 - i];
    return unused;
}

int test_digits(void)
{
    both(print_number, skip);
    return 0;
}

/* Handed over under a flag. */
static char line[16];
static atomic_int is_ready;
static char first_letter;

static void *write_line(void *unused)
{
    strcpy(line, "the message");
    PLANT((void)0, line[0] = 'T');
    atomic_store_explicit(&is_ready, 1, RELEASE);
    return unused;
}

static void *read_line(void *unused)
{
    if (atomic_load_explicit(&is_ready, ACQUIRE))
        first_letter = line[0];
    return unused;
}

int test_handed_over(void)
{
    both(write_line, read_line);
    return 0;
}

/* A word split at spaces. */
static struct {
    char part[2][6];
    int n;
} split;

static void *split_words(void *unused)
{
    const char *at = PLANT("left right", "left r1ght");
    int k = 0;
    for (; *at; at++)
        if (*at == ' ') {
            split.n++;
            k = 0;
        } else
            split.part[split.n][k++] = *at;
    return unused;
}

int test_split(void)
{
    both(split_words, skip);
    return 0;
}

/* Literals that begin alike: wide ones, and behind a zero. */
static const wchar_t *wide;
static const char *zero_inside, *tail;

static void *point_at_literals(void *unused)
{
    wide = PLANT(L"abc", L"abd");
    tail = &"a tail"[2];
    return unused;
}

int test_wide_literal(void)
{
    both(point_at_literals, skip);
    return 0;
}

static void *point_at_zero(void *unused)
{
    zero_inside = PLANT("ab\0cd", "ab\0ef");
    return unused;
}

int test_zero_in_literal(void)
{
    both(point_at_zero, skip);
    return 0;
}

int main(void)
{
    return 0;
}
