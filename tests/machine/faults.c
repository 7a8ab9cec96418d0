/* What goes wrong in a guest, by -DFAULT=name. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int x;
int *nowhere;
volatile int sink;

__attribute__((noinline)) static int deep(volatile int n)
{
    volatile int frame[256];
    frame[n & 255] = n;
    return n ? deep(n + 1) + frame[n & 127] : 0;
}

static void null(void)
{
    *nowhere = 1;
}

static void overflow(void)
{
    sink = deep(1);
}

static void silent(void)
{
    for (;;)
        __asm__ volatile("");
}

static void counting(void)
{
    for (unsigned long i = 1; i; i++)
        __asm__ volatile("" : "+r"(i));
}

static void trap(void)
{
    __builtin_trap();
}

static void unknown(void)
{
#if defined(__x86_64__)
    __asm__ volatile(".byte 0x0f, 0xff, 0xff");
#else
    __asm__ volatile(".long 0x00000001");
#endif
}

static void call(void)
{
#if defined(__x86_64__)
    __asm__ volatile("syscall" ::: "rcx", "r11", "memory");
#elif defined(__aarch64__)
    __asm__ volatile("svc #0" ::: "memory");
#elif defined(__riscv)
    __asm__ volatile("ecall" ::: "memory");
#else
    __asm__ volatile("sc" ::: "memory");
#endif
}

static char block[512] __attribute__((aligned(256)));

/* All of a cache block becomes zero. */
static void clear_block(void)
{
#if defined(__aarch64__)
    __asm__ volatile("dc zva, %0" ::"r"(block) : "memory");
#elif defined(__powerpc64__)
    __asm__ volatile("dcbz 0, %0" ::"r"(block) : "memory");
#elif defined(__x86_64__)
    __asm__ volatile("cld; rep stosb"
                     :
                     : "D"(block), "a"(0), "c"(0)
                     : "memory");
#endif
}

static void assertion(void)
{
    abort();
}

static void spin(void)
{
    while (!atomic_load(&x))
        ;
}

int main(void)
{
    FAULT();
    return 0;
}
