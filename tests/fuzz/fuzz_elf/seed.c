/* A small image for fuzz_elf: variables and functions that make the kinds of
 * DWARF that are read. */
struct node {
    short kind;
    union {
        struct node *next;
        char name[6];
    } u;
    int table[2][3];
};

int x = 1;
struct node nodes[2] = {{.kind = 1}};
static volatile long internal = 2;
const char text[] = "text";

static inline int twice(int n)
{
    static int calls = 1;
    for (int i = 0; i < n; i++) {
        int k = calls + i;
        calls += k;
    }
    return calls;
}

int main(void)
{
    if (x)
        nodes[1].table[1][x & 1] = twice(x) + (int)internal;
    return x ? nodes[0].kind : text[0];
}
