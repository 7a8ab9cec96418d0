// A message by an Atomic.t, and an Atomic.t written before a plain field. With
// C's rules the second is a data race; in OCaml it is fine, and ordered.
//
// expect: model=ocaml verdict=SOUND
// expect: model=ocaml verdict=VIOLATION flags=-DPLAIN
// expect: model=rc11 verdict=VIOLATION
#include <assert.h>
#include <hwcheck/ocaml.h>
#include <pthread.h>

long data, flag, atomic, field;

static void *writer(void *unused)
{
    caml_set(data, 42);
#ifdef PLAIN
    caml_set(flag, 1);
#else
    Atomic_set(flag, 1);
#endif
    Atomic_set(atomic, 1);
    caml_set(field, 1);
    return unused;
}

static void *reader(void *unused)
{
#ifdef PLAIN
    if (caml_get(flag))
#else
    if (Atomic_get(flag))
#endif
        assert(caml_get(data) == 42);
    if (caml_get(field))
        assert(Atomic_get(atomic) == 1);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, writer, NULL);
    pthread_create(&t2, NULL, reader, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(Atomic_fetch_and_add(atomic, 1) == 1);
    assert(Atomic_compare_and_set(atomic, 2, 3));
    assert(Atomic_exchange(atomic, 4) == 3);
    return 0;
}
