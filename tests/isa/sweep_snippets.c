/* Ordinary C for tests/isa/sweep.sh: copies, loops, structures, arithmetic of
 * all widths, floating point, switches, calls through pointers. Compiled, never
 * run. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

void *memcpy(void *restrict to, const void *restrict from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int c, size_t n);
int memcmp(const void *a, const void *b, size_t n);
void use(void *p);

struct mixed {
    char c;
    short s;
    int i;
    long l;
    float f;
    double d;
    unsigned a : 3, b : 7, e : 22;
    char text[37];
};

struct packed {
    char c;
    int i;
    long l;
} __attribute__((packed));

#define COPY(n)                                   \
    void copy_##n(char *to, const char *from)     \
    {                                             \
        memcpy(to, from, n);                      \
    }                                             \
    void zero_##n(char *to)                       \
    {                                             \
        memset(to, 0, n);                         \
    }                                             \
    void fill_##n(char *to, int c)                \
    {                                             \
        memset(to, c, n);                         \
    }                                             \
    int compare_##n(const char *a, const char *b) \
    {                                             \
        return memcmp(a, b, n) == 0;              \
    }                                             \
    void stack_##n(void)                          \
    {                                             \
        char local[n] = {0};                      \
        use(local);                               \
    }                                             \
    struct copy_##n
COPY(1);
COPY(2);
COPY(3);
COPY(4);
COPY(5);
COPY(7);
COPY(8);
COPY(12);
COPY(15);
COPY(16);
COPY(24);
COPY(31);
COPY(32);
COPY(48);
COPY(64);
COPY(100);
COPY(128);
COPY(256);
COPY(1000);

void copy_any(char *to, const char *from, size_t n)
{
    memcpy(to, from, n);
    memmove(to + 1, to, n);
    memset(to, 1, n);
}

struct mixed copy_struct(const struct mixed *m)
{
    struct mixed r = *m;
    r.a++;
    r.b += r.a;
    r.e ^= r.b;
    return r;
}

long packed_sum(struct packed *p, int n)
{
    long s = 0;
    for (int i = 0; i < n; i++) {
        s += p[i].i + p[i].l;
        p[i].c = (char)s;
    }
    return s;
}

#define INTEGERS(type, name)                                                \
    type name##_all(type a, type b, unsigned n)                             \
    {                                                                       \
        type r = (type)(a + b);                                             \
        r = (type)(r - (type)(a * b));                                      \
        r = (type)(r + (b ? a / b + a % b : 0));                            \
        r = (type)(r ^ (type)(a << (n & 7)) ^ (type)(b >> (n & 7)));        \
        r = (type)(r + (a < b) - (a == b) + !a + (a > 5 ? b : -b));         \
        return (type)(~r + a / 7 + a % 10 + b * 13 + (a & 0xf0) + (b | 3)); \
    }                                                                       \
    type name##_sum(const type *p, size_t n)                                \
    {                                                                       \
        type s = 0;                                                         \
        for (size_t i = 0; i < n; i++)                                      \
            s = (type)(s + p[i] * (type)i);                                 \
        return s;                                                           \
    }                                                                       \
    type name##_max(const type *p, size_t n)                                \
    {                                                                       \
        type m = p[0];                                                      \
        for (size_t i = 1; i < n; i++)                                      \
            m = p[i] > m ? p[i] : m;                                        \
        return m;                                                           \
    }                                                                       \
    void name##_map(type *p, const type *q, size_t n)                       \
    {                                                                       \
        for (size_t i = 0; i < n; i++)                                      \
            p[i] = (type)((p[i] & q[i]) + (p[i] ^ 5) - (q[i] >> 1));        \
    }                                                                       \
    int name##_find(const type *p, type x)                                  \
    {                                                                       \
        int i = 0;                                                          \
        while (p[i] != x)                                                   \
            i++;                                                            \
        return i;                                                           \
    }
INTEGERS(signed char, schar)
INTEGERS(unsigned char, uchar)
INTEGERS(short, sshort)
INTEGERS(unsigned short, ushort)
INTEGERS(int, sint)
INTEGERS(unsigned, uint)
INTEGERS(long, slong)
INTEGERS(unsigned long, ulong)
INTEGERS(__int128, s128)
INTEGERS(unsigned __int128, u128)

#define FLOATS(type, name)                                          \
    type name##_all(type a, type b, int i, long l, unsigned long u) \
    {                                                               \
        type r = a + b * (type)2.5 - a / b;                         \
        r += (type)i + (type)l + (type)u + (type)(unsigned)i;       \
        return a < b ? r : -r + (a == b);                           \
    }                                                               \
    long name##_long(type a)                                        \
    {                                                               \
        return (long)a + (int)a + (long)(unsigned long)a;           \
    }                                                               \
    type name##_sum(const type *p, int n)                           \
    {                                                               \
        type s = 0;                                                 \
        for (int i = 0; i < n; i++)                                 \
            s += p[i] * p[i];                                       \
        return s;                                                   \
    }                                                               \
    void name##_scale(type *p, int n, type k)                       \
    {                                                               \
        for (int i = 0; i < n; i++)                                 \
            p[i] = p[i] * k + (type)i;                              \
    }
FLOATS(float, float)
FLOATS(double, double)
FLOATS(long double, longdouble)

float narrow(double d)
{
    return (float)d;
}

double widen(const float *f)
{
    return *f + 1.0;
}

int select_case(int x, int *p)
{
    switch (x) {
    case 0:
        return p[3];
    case 1:
        return ++*p;
    case 2:
        *p = 7;
        return 1;
    case 3:
        return *p << 3;
    case 4:
        return -*p;
    case 5:
        __builtin_trap();
    case 6:
        return p[x] * p[x];
    default:
        return x == 77 ? 5 : x + 1;
    }
}

long call_all(long (**f)(long, long, long), int n)
{
    long s = 0;
    for (int i = 0; i < n; i++)
        s += f[i](s, i, n);
    return f[0](s, 0, 0);
}

int variadic(int n, ...)
{
    va_list args;
    va_start(args, n);
    int s = 0;
    while (n--)
        s += va_arg(args, int) + (int)va_arg(args, double);
    va_end(args);
    return s;
}

int bits(unsigned long x, unsigned y)
{
    return __builtin_popcountl(x) + __builtin_clzl(x) + __builtin_ctz(y) +
           __builtin_clz(y) + __builtin_parity(y) + __builtin_ffsl((long)x) +
           (int)__builtin_bswap64(x) + (int)__builtin_bswap32(y) +
           __builtin_bswap16((uint16_t)y) + (int)(x << 13 | x >> 51);
}

int overflow(int a, long b, int *r, long *s, unsigned long *t)
{
    return __builtin_add_overflow(a, (int)b, r) +
           __builtin_mul_overflow(b, (long)a, s) +
           __builtin_sub_overflow(*t, (unsigned long)b, t);
}

void byte_order(uint64_t *p, uint32_t *q, uint16_t *r)
{
    *p = __builtin_bswap64(*p);
    *q = __builtin_bswap32(*q);
    *r = __builtin_bswap16(*r);
}

static _Thread_local int per_thread;
int *thread_local_address(int n)
{
    per_thread += n;
    return &per_thread;
}

void prefetch(const char *p)
{
    __builtin_prefetch(p);
    __builtin_prefetch(p + 64, 1);
}

long dynamic(size_t n)
{
    char *p = __builtin_alloca(n);
    use(p);
    return p[n - 1];
}

unsigned long many(unsigned long a, unsigned long b, unsigned long c,
                   unsigned long d, unsigned long e, unsigned long f,
                   unsigned long g, unsigned long h, unsigned long i,
                   unsigned long j)
{
    unsigned long r[12] = {a * b,       c - d,        e & f, g | h,
                           i ^ j,       a + j,        b * i, c / (h + 1),
                           d % (g + 1), e << (f & 63)};
    for (int k = 0; k < 200; k++)
        r[k % 12] += r[(k * 7 + 1) % 12] * a + r[(k + 5) % 12];
    use(r);
    return r[a % 12];
}
