/* Conditional selections: csel, isel, cmov. */
#include <stdint.h>

volatile int first, second, condition, taken, left, sum;

__attribute__((noinline)) static void choose(void)
{
    int a = first, b = second, c = condition;
    taken = c == 0 ? a : b;
    left = c != 0 ? a : b;
}

int main(void)
{
    choose();
#ifdef READS_CODE
    const volatile uint32_t *code =
        (const volatile uint32_t *)(uintptr_t)choose;
    for (int i = 0; i < 24; i++)
        sum += (int)code[i];
#endif
    return 0;
}
