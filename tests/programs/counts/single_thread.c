// No second thread: one execution, whatever the model.
//
// expect: model=sc executions=1 blocked=0 outcomes=1 verdict=SOUND
// expect: model=tso executions=1 blocked=0 outcomes=1 verdict=SOUND
// expect: model=pso executions=1 blocked=0 outcomes=1 verdict=SOUND
// expect: model=ra executions=1 blocked=0 outcomes=1 verdict=SOUND
// expect: model=rc11 executions=1 blocked=0 outcomes=1 verdict=SOUND
#include <assert.h>
#include <stdatomic.h>

static atomic_int x;
static int sum;

int main(void)
{
    for (int i = 0; i < 10; i++) {
        atomic_fetch_add(&x, i);
        sum += atomic_load(&x);
    }
    assert(sum == 165);
    return 0;
}
