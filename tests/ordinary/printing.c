/* What is printed. */
#include "ordinary.h"

#include <stdio.h>

static void *skip(void *unused)
{
    return unused;
}

static volatile int input = 3;

static void *print(void *unused)
{
    printf("%d and %s\n", input, PLANT("text", "test"));
    return unused;
}

int test_printf(void)
{
    both(print, skip);
    return 0;
}

static void *print_line(void *unused)
{
    puts(PLANT("a line", "another line"));
    return unused;
}

int test_puts(void)
{
    both(print_line, skip);
    return 0;
}

static void *print_letters(void *unused)
{
    for (char c = 'a'; c < PLANT('e', 'f'); c++)
        putchar(c);
    putchar('\n');
    return unused;
}

int test_putchar(void)
{
    both(print_letters, skip);
    return 0;
}

/* The same twice or once. */
static void *print_twice(void *unused)
{
    for (int i = 0; i < PLANT(2, 1); i++)
        printf("again\n");
    return unused;
}

int test_twice(void)
{
    both(print_twice, skip);
    return 0;
}

/* Two threads: each line by one of them. */
static void *print_left(void *unused)
{
    printf("left %d\n", 1);
    return unused;
}

static void *print_right(void *unused)
{
    printf("right %d\n", PLANT(2, 3));
    return unused;
}

int test_both(void)
{
    both(print_left, print_right);
    return 0;
}

static atomic_int flag;

static void *set(void *unused)
{
    atomic_store(&flag, 1);
    return unused;
}

static void *print_flag(void *unused)
{
    printf("flag is %d\n", atomic_load(&flag) + PLANT(0, 1));
    return unused;
}

int test_printed_flag(void)
{
    both(set, print_flag);
    return 0;
}

static volatile double nothing;

static void *print_nan(void *unused)
{
    printf("%g\n", nothing / nothing);
    printf("%s\n", PLANT("right", "wrong"));
    return unused;
}

int test_print_nan(void)
{
    both(print_nan, skip);
    return 0;
}

int main(void)
{
    return 0;
}
