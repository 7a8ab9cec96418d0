static volatile int lowest = -2147483647 - 1, minus_one = -1;

int main(void)
{
    return lowest / minus_one;
}
