// A recursion without end.
//
// expect: model=sc verdict=VIOLATION kind=stack-overflow exit=1
// expect: model=rc11 verdict=VIOLATION kind=stack-overflow exit=1
static int depth(int n)
{
    return depth(n + 1) + 1;
}

int main(void)
{
    return depth(0);
}
