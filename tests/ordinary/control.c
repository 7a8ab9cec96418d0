/* Calls and jumps: recursion, switch, goto. */
#include "ordinary.h"

static void *skip(void *unused)
{
    return unused;
}

static volatile int input = 5;

static __attribute__((noinline)) int factorial(int n)
{
    return n < 2 ? 1 : n * factorial(n - 1);
}
static int product;

static void *multiply(void *unused)
{
    product = factorial(input + PLANT(0, 1));
    return unused;
}

int test_recursion(void)
{
    both(multiply, skip);
    return 0;
}

static int is_odd(int n);

static int is_even(int n)
{
    return n == 0 ? 1 : is_odd(n - 1);
}

static int is_odd(int n)
{
    return n == 0 ? 0 : is_even(n - 1);
}
static int parity;

static void *find_parity(void *unused)
{
    parity = 1 + is_even(input + PLANT(0, 1));
    return unused;
}

int test_each_other(void)
{
    both(find_parity, skip);
    return 0;
}

static __attribute__((noinline)) int choose(int n)
{
    switch (n) {
    case 0:
        return 10;
    case 1:
    case 2:
        return 20;
    case 3:
        n++; /* fall through */
    case 4:
        return n * 100;
    default:
        return -1;
    }
}
static int chosen[6];

static void *choose_all(void *unused)
{
    for (int i = 0; i < 6; i++)
        chosen[i] = choose(PLANT(i, i == 3 ? 2 : i));
    return unused;
}

int test_switch(void)
{
    both(choose_all, skip);
    return 0;
}

static int steps, cleaned;

static void *jump(void *unused)
{
    int n = input;
again:
    steps++;
    n = n % 2 ? 3 * n + 1 : n / 2;
    if (n > PLANT(1, 2))
        goto again;
    if (steps > 3)
        goto clean;
    steps = 0;
clean:
    cleaned = n;
    return unused;
}

int test_goto(void)
{
    both(jump, skip);
    return 0;
}

static int loops[3];

static void *loop(void *unused)
{
    int i = 0;
    do
        loops[0] += i;
    while (++i < 4);
    while (1) {
        if (i == 0)
            break;
        if (--i == 2)
            continue;
        loops[1] += i;
    }
    for (int k = 0, m = 5; k < m; k++, m--)
        loops[2] += m - PLANT(k, 2);
    return unused;
}

int test_loops(void)
{
    both(loop, skip);
    return 0;
}

static int is_called;

static __attribute__((noinline)) int call(int result)
{
    is_called = is_called * 10 + 1;
    return result;
}
static int logic;

static void *decide(void *unused)
{
    logic = (call(0) && call(1)) + 2 * (call(1) || call(0)) +
            4 * (call(PLANT(1, 0)) && call(1)) + (call(0), 8);
    return unused;
}

int test_logic(void)
{
    both(decide, skip);
    return 0;
}

/* Eight at a time. */
static char to[12];

static void *copy(void *unused)
{
    const char *from = "duff's device", *end = from + 11;
    char *at = to;
    switch ((end - from) % 4) {
    case 0:
        do {
            *at++ = *from++; /* fall through */
        case 3:
            *at++ = *from++; /* fall through */
        case 2:
            *at++ = *from++; /* fall through */
        case 1:
            *at++ = PLANT(*from++, *from);
        } while (from < end - 1);
    }
    return unused;
}

int test_device(void)
{
    both(copy, skip);
    return 0;
}

/* Towers. */
static int pegs[3] = {3, 0, 0}, moves;

static void hanoi(int n, int from, int by, int target)
{
    if (n == 0)
        return;
    hanoi(n - 1, from, target, by);
    pegs[from]--;
    pegs[target]++;
    moves += PLANT(1, 2);
    hanoi(n - 1, by, from, target);
}

static void *move_towers(void *unused)
{
    hanoi(3, 0, 1, 2);
    return unused;
}

int test_hanoi(void)
{
    both(move_towers, skip);
    return 0;
}

/* Many parameters, on the stack too. */
static __attribute__((noinline)) long many(char a, short b, int c, long d,
                                           float e, double f, int g, int h,
                                           int i, int j, long k, char l)
{
    return a + b + c + d + (long)e + (long)f + g + h + i + j + k + l;
}
static long many_result;

static void *call_many(void *unused)
{
    many_result =
        many(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, PLANT(3, 4));
    return unused;
}

int test_many_parameters(void)
{
    both(call_many, skip);
    return 0;
}

/* A callback with what it needs. */
static int visited;

static void visit_with(int n, void (*visit)(int, void *), void *with)
{
    for (int i = 0; i < n; i++)
        visit(i, with);
}

static void add_to(int i, void *at)
{
    *(int *)at += i + PLANT(1, 2);
}

static void *visit_all(void *unused)
{
    visit_with(4, add_to, &visited);
    return unused;
}

int test_callback(void)
{
    both(visit_all, skip);
    return 0;
}

/* A machine of states. */
enum state { START, WORD, SPACE };
static enum state state;
static int n_words;

static void *scan(void *unused)
{
    for (const char *c = "to be or not"; *c; c++) {
        enum state next = *c == ' ' ? SPACE : WORD;
        if (next == WORD && state != WORD)
            n_words += PLANT(1, *c != 'n');
        state = next;
    }
    return unused;
}

int test_states(void)
{
    both(scan, skip);
    return 0;
}

/* What was observed. */
static void *look(void *unused)
{
    observe("input", input);
    observe("twice", PLANT(2, 3) * input);
    return unused;
}

int test_observed(void)
{
    both(look, skip);
    return 0;
}

int main(void)
{
    return 0;
}
