// A pointer read from memory that was never written.
//
// expect: model=rc11 verdict=VIOLATION kind=invalid-access at=here exit=1
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    struct node *n = malloc(sizeof *n);

    n->next->value = 1; // <- here
    free(n);
    return 0;
}
