/* Functions of variable arguments. */
#include "ordinary.h"

#include <stdarg.h>

static void *skip(void *unused)
{
    return unused;
}

static __attribute__((noinline)) int sum(int n, ...)
{
    va_list args;
    int total = 0;
    va_start(args, n);
    for (int i = 0; i < n; i++)
        total += va_arg(args, int);
    va_end(args);
    return total;
}
static int total;

static void *add(void *unused)
{
    total = sum(PLANT(3, 2), 1, 20, 300);
    return unused;
}

int test_varargs(void)
{
    both(add, skip);
    return 0;
}

static __attribute__((noinline)) double mixed(const char *kinds, ...)
{
    va_list args;
    double result = 0;
    va_start(args, kinds);
    for (; *kinds; kinds++)
        if (*kinds == 'i')
            result += va_arg(args, int);
        else if (*kinds == 'd')
            result += va_arg(args, double);
        else
            result += *va_arg(args, const char *) - '0';
    va_end(args);
    return result;
}
static double mixed_result;

static void *add_mixed(void *unused)
{
    mixed_result = mixed("idsi", 1, 0.5, "7", PLANT(1000, 1001));
    return unused;
}

int test_mixed_varargs(void)
{
    both(add_mixed, skip);
    return 0;
}

int main(void)
{
    return 0;
}
