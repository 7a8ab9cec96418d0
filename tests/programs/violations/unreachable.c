// Code that the program promises never to reach.
//
// expect: model=rc11 verdict=VIOLATION kind=abort exit=1
static volatile int x = 1;

int main(void)
{
    if (x)
        __builtin_unreachable();
    return 0;
}
