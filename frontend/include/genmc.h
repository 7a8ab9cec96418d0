/* genmc.h: the names of GenMC's header, so that its programs compile as they
 * are. Annotations that only help that checker do nothing here. */
#ifndef GENMC_H
#define GENMC_H

#include <hwcheck.h>

void __VERIFIER_loop_begin(void);
void __VERIFIER_spin_start(void);
void __VERIFIER_spin_end(int succeeded);
int __VERIFIER_tid(void);

/* Waits until the condition is false. */
#define await_while(condition)                                     \
    for (int hwc_again = (__VERIFIER_loop_begin(), 0);             \
         __VERIFIER_spin_start(), hwc_again = (condition) ? 1 : 0, \
             __VERIFIER_spin_end(!hwc_again), hwc_again;)

#define __VERIFIER_local_write(access)      access
#define __VERIFIER_final_write(access)      access
#define __VERIFIER_speculative_read(access) access
#define __VERIFIER_confirming_read(access)  access
#define __VERIFIER_speculative_cas(access)  access
#define __VERIFIER_confirming_cas(access)   access
#define __VERIFIER_helped_cas(access)       access
#define __VERIFIER_helping_cas(access)      access
#define __VERIFIER_optional(block)          block

#endif
