#include <unistd.h>

int main(void)
{
    return fork();
}
