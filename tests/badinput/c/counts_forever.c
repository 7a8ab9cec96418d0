int main(void)
{
    for (volatile unsigned i = 1; i != 0; i += 2)
        ;
    return 0;
}
