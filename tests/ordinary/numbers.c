/* Arithmetic: integers of all widths, floating point. */
#include "ordinary.h"

#include <limits.h>

static void *skip(void *unused)
{
    return unused;
}

static volatile int input = 7;
static int quotient[4];

static void *divide(void *unused)
{
    quotient[0] = input / 2;
    quotient[1] = -input / 2;
    quotient[2] = -input % PLANT(4, 5);
    quotient[3] = 100 / input;
    return unused;
}

int test_division(void)
{
    both(divide, skip);
    return 0;
}

static unsigned wrapped;
static signed char narrowed;

static void *wrap(void *unused)
{
    wrapped = (unsigned)input - 8;
    narrowed = (signed char)(input * PLANT(37, 38));
    return unused;
}

int test_wrap(void)
{
    both(wrap, skip);
    return 0;
}

static int shifted[3];

static void *shift(void *unused)
{
    shifted[0] = input << 3;
    shifted[1] = -input >> 1;
    shifted[2] = (int)(0x80000000u >> (input + PLANT(0, 1)));
    return unused;
}

int test_shifts(void)
{
    both(shift, skip);
    return 0;
}

static long long wide;
static unsigned long long wide_unsigned;

static void *widen(void *unused)
{
    wide = (long long)input * -1000000007;
    wide_unsigned = ULLONG_MAX / (unsigned)PLANT(input, 8);
    return unused;
}

int test_wide(void)
{
    both(widen, skip);
    return 0;
}

static __int128 huge;
static long huge_high;

static void *use_huge(void *unused)
{
    huge = (__int128)input << 70;
    huge += PLANT(3, 4);
    huge_high = (long)(huge >> 64);
    return unused;
}

int test_int128(void)
{
    both(use_huge, skip);
    return 0;
}

static volatile double real = 2.5;
static double sum, absolute, quotient_real;
static float single;

static void *calculate(void *unused)
{
    sum = real + 0.1;
    quotient_real = real / PLANT(3, 7);
    single = (float)real / 3;
    return unused;
}

int test_floating(void)
{
    both(calculate, skip);
    return 0;
}

static void *take_absolute(void *unused)
{
    absolute = __builtin_fabs(-real * PLANT(10, 11));
    return unused;
}

int test_absolute(void)
{
    both(take_absolute, skip);
    return 0;
}

static int converted[3];
static double back;

static void *convert(void *unused)
{
    converted[0] = (int)real;
    converted[1] = (int)(-real * PLANT(3, 4));
    converted[2] = (int)(real * 1000.0f);
    back = input;
    return unused;
}

int test_conversions(void)
{
    both(convert, skip);
    return 0;
}

static double special[4];

static void *make_special(void *unused)
{
    double zero = real - 2.5;
    special[0] = 1 / zero;
    special[1] = -1 / zero;
    special[2] = PLANT(-zero, zero);
    special[3] = 5e-324;
    return unused;
}

int test_special(void)
{
    both(make_special, skip);
    return 0;
}

static double not_number;
static int is_unordered;

static void *make_nan(void *unused)
{
    double zero = real - 2.5;
    not_number = zero / zero;
    is_unordered = (not_number != not_number) + PLANT(0, 1);
    not_number = 0;
    return unused;
}

int test_nan(void)
{
    both(make_nan, skip);
    return 0;
}

static unsigned char bytes[4];

static void *count_bits(void *unused)
{
    unsigned u = 0xdeadbeef;
    bytes[0] = (unsigned char)__builtin_popcount(u);
    bytes[1] = (unsigned char)__builtin_clz(u >> 5);
    bytes[2] = (unsigned char)__builtin_ctz(u << PLANT(4, 5));
    bytes[3] = (unsigned char)(u >> 24);
    return unused;
}

int test_bits(void)
{
    both(count_bits, skip);
    return 0;
}

static _Bool overflowed[2];

static void *overflow(void *unused)
{
    int r;
    overflowed[0] = __builtin_add_overflow(INT_MAX, input, &r);
    overflowed[1] = __builtin_mul_overflow(input, PLANT(3, INT_MAX), &r);
    return unused;
}

int test_overflow(void)
{
    both(overflow, skip);
    return 0;
}

static unsigned checksum;

static void *check_sum(void *unused)
{
    static const char text[] = "123456789";
    unsigned crc = ~0u;
    for (int i = 0; i < 9; i++) {
        crc ^= (unsigned char)text[i];
        for (int k = 0; k < 8; k++)
            crc = crc >> 1 ^ (crc & 1 ? PLANT(0xedb88320u, 0xedb88321u) : 0);
    }
    checksum = ~crc;
    return unused;
}

int test_checksum(void)
{
    both(check_sum, skip);
    return 0;
}

/* Sums of doubles in order: no compiler may change it. */
static double series;

static void *add_series(void *unused)
{
    for (int i = 1; i < 10; i++)
        series += PLANT(1.0, 1.5) / i;
    return unused;
}

int test_series(void)
{
    both(add_series, skip);
    return 0;
}

/* Halves of a double precision sum in two threads. */
static float part[2], whole;

static void *left_part(void *unused)
{
    part[0] = 0.1f + (float)input;
    return unused;
}

static void *right_part(void *unused)
{
    part[1] = PLANT(0.2f, 0.3f) * (float)input;
    return unused;
}

int test_float_parts(void)
{
    both(left_part, right_part);
    whole = part[0] + part[1];
    return 0;
}

/* Numbers that are where addresses could be. */
static uint64_t like_address[4];

static void *set_like_addresses(void *unused)
{
    like_address[0] = 0x203b00000000;
    like_address[1] = 0x200f00000010;
    like_address[2] = 0x16280000010;
    like_address[3] = PLANT(0x203c00000000, 0x203d00000000);
    return unused;
}

int test_like_addresses(void)
{
    both(set_like_addresses, skip);
    return 0;
}

/* A product and a sum, which machines can make one of. */
static double factor = 0.1, ten = 10, rounded[2] = {7, 7};

static void *multiply(void *unused)
{
    double product = factor * ten;
    rounded[0] = factor * ten - 1;
    rounded[1] = product - PLANT(1, 2);
    return unused;
}

int test_rounded_twice(void)
{
    both(multiply, skip);
    return 0;
}

/* Not a number: its sign is what the machine makes it. */
static double nought, no_number;

static void *divide_zero(void *unused)
{
    no_number = PLANT(nought / nought, nought);
    return unused;
}

int test_nan_of_zeros(void)
{
    both(divide_zero, skip);
    return 0;
}

int main(void)
{
    return 0;
}
