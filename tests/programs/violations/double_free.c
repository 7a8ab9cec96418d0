// Two threads free the same object.
//
// expect: model=sc verdict=VIOLATION kind=double-free at=here exit=1
// expect: model=rc11 verdict=VIOLATION kind=double-free at=here exit=1
#include <pthread.h>
#include <stdlib.h>

static void *dropper(void *object)
{
    free(object); // <- here
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    void *object = malloc(8);

    pthread_create(&t1, NULL, dropper, object);
    pthread_create(&t2, NULL, dropper, object);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
