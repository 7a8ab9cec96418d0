#ifndef _SEMAPHORE_H
#define _SEMAPHORE_H

typedef union {
    char __size[32];
    long __align;
} sem_t;

int sem_init(sem_t *, int, unsigned);
int sem_destroy(sem_t *);
int sem_wait(sem_t *);
int sem_trywait(sem_t *);
int sem_post(sem_t *);
int sem_getvalue(sem_t *, int *);

#endif
