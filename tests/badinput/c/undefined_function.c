int frobnicate(int);

int main(void)
{
    return frobnicate(1);
}
