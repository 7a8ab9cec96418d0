/* hwcheck.h: what a program may tell hwcheck. All of it is optional: a plain C
 * program with <stdatomic.h> and <pthread.h> or <threads.h> needs no header. */
#ifndef HWCHECK_H
#define HWCHECK_H

#ifdef __cplusplus
#error "hwcheck checks C programs"
#endif

#include <stdbool.h>

/* Makes `value` part of the execution's outcome, under a name that must be a
 * string constant. The last value of each name counts. */
void observe(const char *name, long value);

/* Executions where the condition does not hold are not considered. */
void hwc_assume(bool condition);

/* One execution for each number from lowest to highest. */
long hwc_choose(long lowest, long highest);

/* In or right before a loop: it ends the check's claim of completeness, not the
 * loop, when that goes round more than n times. */
void hwc_loop_bound(long n);

/* A small number of the calling thread; main is 0. */
int hwc_thread_number(void);

/* The names that other checkers use. Numbers without a range are 0 to 3. */
void __VERIFIER_assume(int condition);
void __VERIFIER_assert(int condition);
_Bool __VERIFIER_nondet_bool(void);
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
long __VERIFIER_nondet_range(long lowest, long highest);
void __VERIFIER_loop_bound(int n);

#endif
