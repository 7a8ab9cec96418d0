// A read one past the end of a global array.
//
// expect: model=rc11 verdict=VIOLATION kind=invalid-access at=here exit=1
static int array[4];
static volatile int limit = 4;

int main(void)
{
    int sum = 0;

    for (int i = 0; i <= limit; i++)
        sum += array[i]; // <- here
    return sum;
}
