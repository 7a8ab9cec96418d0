extern int nowhere;

int main(void)
{
    return nowhere;
}
