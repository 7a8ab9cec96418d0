#!/usr/bin/env bash
# The source has the ABI of the target: macros, the sign of char, sizes, layout,
# byte order, variable arguments; and what threads print is part of outcomes.
#   HWCHECK=<binary> SRC=<project root> tests/cli/test_abi.sh
set -u
. "$(dirname "$0")/cli.sh"

# ---- what differs between machines
cat >abi.c <<'END_C'
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <string.h>
atomic_int x;
int word = 0x01020304, first, sign, arch, sum;
char c = (char)200;
struct bits { unsigned a : 3, b : 7; int : 0; unsigned c : 9; } bits = {5, 99, 300};
union { struct bits s; unsigned char raw[8]; } u;
unsigned char raw0, raw1, raw4;
short shorts[4] = {1, 2, 3, 4};
long joined;
double mean;
int *p = &first, *q;
struct pair { int a; long b; };
static int add(int n, ...)
{
    va_list list, again;
    va_start(list, n);
    va_copy(again, list);
    int s = 0;
    for (int i = 0; i < n; i++)
        s += va_arg(list, int);
    s += (int)va_arg(list, double);
    s += *va_arg(list, char *);
    struct pair two = va_arg(list, struct pair);
    s += two.a + (int)two.b;
    va_end(list);
    s += 1000 * va_arg(again, int);
    va_end(again);
    return s;
}
static void *other(void *a) { x = 1; return a; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    pthread_join(t, 0);
    first = *(unsigned char *)&word;
    sign = c < 0 ? -1 : 1;
#ifdef __aarch64__
    arch = 1;
#elif defined __powerpc64__
    arch = 2;
#else
    arch = 3;
#endif
    u.s = bits;
    raw0 = u.raw[0], raw1 = u.raw[1], raw4 = u.raw[4];
    memcpy(&joined, shorts, 8);
    int local[2] = {7, 8};
    long more;
    memcpy(&more, local, 8);
    joined += more;
    sum = add(3, 1, 2, 3, 4.5, "a", (struct pair){20000, 30000});
    mean = sum / 3.0;
    q = p;
    *q += 1;
    return 3;
}
END_C
for level in -O0 -O2; do
    run 0 --arch=all abi.c -- $level
done
run 0 --arch=x86_64 abi.c
out_has 'arch=3 .*first=5 .*sign=-1 .*sum=51107'
run 0 --arch=aarch64 abi.c
out_has 'arch=1 .*first=5 .*sign=1 .*sum=51107'
run 0 --arch=ppc64 abi.c
out_has 'arch=2 .*first=2 .*sign=1 .*sum=51107'


# A source that one machine alone refuses is checked on the others.
cat >long.c <<'END_C'
long double x = 1;
int r;
int main(void) { x = x / 3; r = x < 1; }
END_C
run 2 --arch=x86_64,aarch64,ppc64le long.c
err_has 'aarch64: long.c:3: long double of this machine'
out_has 'long.c +x86_64 .*SOUND'
cat >only.c <<'END_C'
#ifdef __x86_64__
#error not for this machine
#endif
int r;
int main(void) { r = 1; }
END_C
run 2 --arch=x86_64,aarch64 only.c
out_has 'only.c +aarch64 .*SOUND'

# ---- what is printed
cat >print.c <<'END_C'
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
atomic_int x, y;
char buf[8] = "text";
static void *other(void *a)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    int r = atomic_load_explicit(&y, memory_order_relaxed);
    printf("y=%d %5.2f|%-4s|%6s|%c %% %#lx %p\n", r, 3.14159, "ab", buf, 'z', 255ul, (void *)&x);
    return a;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    fprintf(stderr, "x=%d\n", atomic_load_explicit(&x, memory_order_relaxed));
    pthread_join(t, 0);
    puts("end");
    putchar('!');
    printf("%s\n", buf);
    fputs("lit", stdout);
    printf("%*d|%.*f|%hhu|%lld|%s\n", 6, 42, 1, 2.25, 300, -5ll, (char *)0);
}
END_C
line='T0 prints "x=1\\nend\\n!text\\nlit    42\|2.2\|44\|-5\|\(null\)\\n" T1 prints "y=1  3.14\|ab  \|  text\|z % 0xff \(pointer\)\\n"$'
gcc=(x86_64=gcc aarch64=aarch64-linux-gnu-gcc ppc64le=powerpc64le-linux-gnu-gcc ppc64=powerpc64-linux-gnu-gcc riscv64=riscv64-linux-gnu-gcc)
for pair in "${gcc[@]}"; do
    run 0 --arch=${pair%=*} print.c
    out_has "^ +1 +1  x=1 y=1 $line"
    run 0 --arch=${pair%=*} --cc=${pair#*=} print.c
    out_has "^ +1 +1  x=1 y=1 $line"
done
# Store buffering that only the output tells of.
run 1 --arch=x86_64 --source-model=sc print.c
out_has '^ +- +1  .*T0 prints "x=0.* T1 prints "y=0.*forbidden by the source'
finish
