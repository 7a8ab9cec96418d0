// Every way to get from one statement to another.
//
// expect: model=rc11 executions=1 blocked=0 verdict=SOUND
#include <assert.h>

enum day { MON, TUE, WED };
static int counter;
static enum day today = WED;

static int recurse(int n) { return n <= 1 ? 1 : n * recurse(n - 1); }

static int jump(int n)
{
    static const void *const targets[] = {&&one, &&two, &&out};
    int sum = 0;

next:
    goto *targets[n];
one:
    sum += 1, n = 1;
    goto next;
two:
    sum += 10, n = 2;
    goto next;
out:
    return sum;
}

static const char *name(enum day day)
{
    switch (day) {
    case MON:
        return "mon";
    case TUE:
        return "tue";
    default:
        counter++; /* falls out */
    }
    return "wed";
}

int main(int argc, char **argv)
{
    assert(argc == 1 && argv[0] && !argv[1]);
    assert(recurse(5) == 120);
    assert(jump(0) == 11);
    assert(name(today)[0] == 'w' && counter == 1);

    int i = 0, sum = 0;
    do {
        if (i == 2)
            continue;
        if (i == 5)
            break;
        sum += i;
    } while (++i < 10 && (i != 3 || (i++, 1)));
    for (int a = 0, b = 9; a < b; a++, b--)
        sum += a * b;
    switch (sum & 3) {
        for (;;) {
    case 2:
            if (counter++ > 3)
                break;
        }
    }
    assert((counter) && ({ int x = counter; x > 0; }));
    return 0;
}
