// A local array larger than any stack.
//
// expect: model=rc11 verdict=VIOLATION kind=stack-overflow exit=1
static int fill(void)
{
    volatile char big[512 * 1024 * 1024];

    for (unsigned long i = 0; i < sizeof big; i += 4096)
        big[i] = 1;
    return big[0];
}

int main(void)
{
    return fill();
}
