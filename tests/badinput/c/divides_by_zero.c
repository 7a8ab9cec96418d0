static volatile int zero;

int main(void)
{
    return 1 / zero;
}
