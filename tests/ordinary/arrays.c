/* Arrays, and loops over them that compilers vectorise or make calls of. */
#include "ordinary.h"

static void *skip(void *unused)
{
    return unused;
}

static int squares[8];

static void *fill_squares(void *unused)
{
    for (int i = 0; i < 8; i++)
        squares[i] = i * i + PLANT(0, i == 7);
    return unused;
}

int test_squares(void)
{
    both(fill_squares, skip);
    return 0;
}

/* A memset, whatever the compiler calls it. */
static unsigned char zeroed[32] = {1, 2, 3, [31] = 4};

static void *zero(void *unused)
{
    for (int i = 0; i < PLANT(32, 31); i++)
        zeroed[i] = 0;
    return unused;
}

int test_zeroed(void)
{
    both(zero, skip);
    return 0;
}

static short constant[16];

static void *fill_constant(void *unused)
{
    for (int i = 0; i < 16; i++)
        constant[i] = PLANT(7, 8);
    return unused;
}

int test_constant_fill(void)
{
    both(fill_constant, skip);
    return 0;
}

/* A memcpy. */
static const int table[6] = {3, 1, 4, 1, 5, 9};
static int copied[6];

static void *copy(void *unused)
{
    for (int i = 0; i < 6; i++)
        copied[i] = table[i];
    PLANT((void)0, copied[3] = 2);
    return unused;
}

int test_copied(void)
{
    both(copy, skip);
    return 0;
}

/* Two threads, a half each. */
static int halves[8];

static void *lower(void *unused)
{
    for (int i = 0; i < 4; i++)
        halves[i] = i;
    return unused;
}

static void *upper(void *unused)
{
    for (int i = PLANT(4, 5); i < 8; i++)
        halves[i] = 10 * i;
    return unused;
}

int test_halves(void)
{
    both(lower, upper);
    return 0;
}

/* Every other element. */
static int interleaved[6];

static void *even(void *unused)
{
    for (int i = 0; i < 6; i += 2)
        interleaved[i] = 1;
    return unused;
}

static void *odd(void *unused)
{
    for (int i = 1; i < 6; i += 2)
        interleaved[i] = PLANT(2, 3);
    return unused;
}

int test_interleaved(void)
{
    both(even, odd);
    return 0;
}

static int matrix[3][3], product[3][3];

static void *multiply(void *unused)
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            matrix[i][k] = 3 * i + k;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            for (int j = 0; j < 3; j++)
                product[i][k] += matrix[i][j] * matrix[PLANT(j, k)][k];
    return unused;
}

int test_matrix(void)
{
    both(multiply, skip);
    return 0;
}

static int sorted[6] = {5, 3, 6, 1, 4, 2};

static void *sort(void *unused)
{
    for (int i = 1; i < 6; i++)
        for (int k = i; k > 0 && sorted[k - 1] > sorted[k]; k--) {
            int swap = sorted[k];
            sorted[k] = sorted[k - 1];
            sorted[k - 1] = swap;
        }
    PLANT((void)0, sorted[0]++);
    return unused;
}

int test_sorted(void)
{
    both(sort, skip);
    return 0;
}

/* Summed by two threads, added up by main. */
static const int terms[8] = {1, 2, 3, 4, 5, 6, 7, 8};
static int sums[2], total;

static void *sum_lower(void *unused)
{
    for (int i = 0; i < 4; i++)
        sums[0] += terms[i];
    return unused;
}

static void *sum_upper(void *unused)
{
    for (int i = 4; i < 8; i++)
        sums[1] += PLANT(terms[i], terms[i - 1]);
    return unused;
}

int test_sums(void)
{
    both(sum_lower, sum_upper);
    total = sums[0] + sums[1];
    return 0;
}

/* Primes, by crossing out. */
static _Bool is_composite[20];

static void *cross_out(void *unused)
{
    for (int i = 2; i * i < 20; i++)
        for (int k = i * i; !is_composite[i] && k < 20; k += i)
            is_composite[k] = PLANT(1, k != 19 && k != 16);
    return unused;
}

int test_sieve(void)
{
    both(cross_out, skip);
    return 0;
}

/* A local array whose elements are used. */
static long fibonacci;

static void *add_up(void *unused)
{
    long f[20] = {0, 1};
    for (int i = 2; i < 20; i++)
        f[i] = f[i - 1] + f[i - PLANT(2, 1)];
    fibonacci = f[19];
    return unused;
}

int test_local_array(void)
{
    both(add_up, skip);
    return 0;
}

/* Of long long, which are two words on no target, and of doubles. */
static double reals[5];
static long long big[5];

static void *fill_reals(void *unused)
{
    for (int i = 0; i < 5; i++) {
        reals[i] = i / 2.0;
        big[i] = PLANT(1LL, 3LL) << (8 * i);
    }
    return unused;
}

int test_words(void)
{
    both(fill_reals, skip);
    return 0;
}

/* A size that is known only then. */
static int variable_sum;

static __attribute__((noinline)) int sum_of(int n)
{
    int a[n], s = 0;
    for (int i = 0; i < n; i++)
        a[i] = i + 1;
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}

static void *use_variable(void *unused)
{
    variable_sum = sum_of(PLANT(5, 6));
    return unused;
}

int test_variable_length(void)
{
    both(use_variable, skip);
    return 0;
}

int main(void)
{
    return 0;
}
