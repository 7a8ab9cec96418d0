// A recursion without end.
//
// expect: model=rc11 verdict=VIOLATION kind=stack-overflow exit=1
static int depth(volatile int *n)
{
    volatile int local = *n + 1;

    return depth(&local) + 1;
}

int main(void)
{
    int start = 0;

    return depth(&start);
}
