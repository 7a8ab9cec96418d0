int main(void)
{
    __asm__ volatile("mfence" ::: "memory");
    return 0;
}
