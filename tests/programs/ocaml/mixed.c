// A location that is an Atomic.t in one thread and a plain field in another is
// none of OCaml's; before the thread is there, and after it, it is what C has.
//
// expect: model=ocaml verdict=VIOLATION
// expect: model=ocaml verdict=SOUND flags=-DAPART
#include <assert.h>
#include <hwcheck/ocaml.h>
#include <pthread.h>

long count;

static void *add(void *unused)
{
    Atomic_fetch_and_add(count, 1);
    return unused;
}

int main(void)
{
    pthread_t t;
#ifdef APART
    caml_set(count, 2);
#endif
    pthread_create(&t, NULL, add, NULL);
#ifndef APART
    caml_set(count, 2);
#endif
    pthread_join(t, NULL);
    assert(caml_get(count) > 0);
    return 0;
}
