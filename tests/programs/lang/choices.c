// Choices and assumptions; each number is visited once.
//
// expect: model=rc11 executions=5 blocked=5 outcomes=5 verdict=SOUND
#include <hwcheck.h>

int main(void)
{
    long n = hwc_choose(-2, 2);
    bool b = __VERIFIER_nondet_bool();

    hwc_assume(n > 0 || (n == 0) == b);
    if (n < 0)
        hwc_assume(n == -2 && b);
    observe("n", n);
    observe("b", b);
    return 0;
}
