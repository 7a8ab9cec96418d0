// Who sees the non-atomic b sees the atomic a, which was written before. C11's
// seq_cst does not promise that.
//
// expect: mapping=bad-ocaml-aarch64-naive arch=aarch64 verdict=MISCOMPILED
// expect: mapping=bad-ocaml-aarch64-no-fence arch=aarch64 verdict=MISCOMPILED
// expect: mapping=ocaml-aarch64 arch=aarch64 verdict=SOUND
// expect: mapping=ocaml-aarch64-stlr arch=aarch64 verdict=SOUND
// expect: mapping=bad-ocaml-power-naive arch=ppc64le verdict=MISCOMPILED
// expect: mapping=ocaml-power arch=ppc64le verdict=SOUND
// expect: mapping=ocaml-x86 arch=x86_64 verdict=SOUND
#include <hwcheck/ocaml.h>
#include <pthread.h>

int a, b;
int r1, r2;

static void *thread_1(void *unused)
{
    Atomic_set(a, 1);
    caml_set(b, 1);
    return unused;
}

static void *thread_2(void *unused)
{
    r1 = caml_get(b);
    r2 = Atomic_get(a);
    return unused;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, thread_1, 0);
    pthread_create(&t[1], 0, thread_2, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
