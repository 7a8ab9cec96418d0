static volatile unsigned long n = 1UL << 40;

int main(void)
{
    volatile char a[n];

    a[0] = 1;
    return a[0];
}
