static volatile int zero;

static int deeper(int n)
{
    return deeper(n + 1) + zero;
}

int main(void)
{
    return deeper(0);
}
