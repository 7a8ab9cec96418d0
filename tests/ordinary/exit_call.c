/* exit() from main, with a status of the sum. */
#include "ordinary.h"

static int sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *unused)
{
    pthread_mutex_lock(&lock);
    sum += 3;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    both(add, add);
    exit(sum + PLANT(0, 1));
}
