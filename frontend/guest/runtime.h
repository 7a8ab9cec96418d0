/* Inside the guest's library. All of its code and data lie in sections of
 * their own (.hwc.*), which are not looked at; functions whose accesses are
 * the program's are in memory.c and do not include this. Names that start with
 * __hwc_ are ours, all others are what programs call. */
#ifndef FRONTEND_GUEST_RUNTIME_H
#define FRONTEND_GUEST_RUNTIME_H

#define HWC_GUEST
#include "core/event.h"
#include "hw/qemu/wire.h"

#include <stddef.h>
#include <stdint.h>

#pragma clang section text = ".hwc.text" rodata = ".hwc.rodata" data = \
    ".hwc.data" bss = ".hwc.bss"

/* Where the program called us: only in functions that it calls directly. */
#define CALLER ((uint64_t)(uintptr_t)__builtin_return_address(0))

/* A thread's state that a run starts with afresh. */
struct held {
    uint64_t mutex;
    uint32_t count; /* of a recursive one */
};
struct object {
    uint64_t addr, bytes;
};

#define HELD_MAX    64
#define OBJECTS_MAX 16384

struct state {
    uint32_t n_created;
    uint32_t n_small, n_medium, n_large;
    uint32_t n_held, n_objects;
    uint64_t random;
    struct held held[HELD_MAX];
    struct object objects[OBJECTS_MAX];
};

extern volatile struct wire_mailbox __hwc_mailbox;
extern struct state __hwc_state;

void __hwc_marker(void);
_Noreturn void __hwc_loop(void);
void __hwc_restore(void);
long __hwc_syscall(long number, uint64_t a, uint64_t b, uint64_t c, uint64_t d);

/* Tells, and returns what comes back. Does not return at all when the run ends
 * there. */
uint64_t __hwc_tell(uint64_t caller, enum wire_op op, uint64_t a, uint64_t b,
                    uint64_t c);
_Noreturn void __hwc_end(uint64_t caller, enum wire_op op, uint64_t a,
                         uint64_t b, uint64_t c);
_Noreturn void __hwc_fail(uint64_t caller, enum violation_kind kind,
                          const char *text);

/* Accesses of the library that the program's memory model sees. */
uint64_t __hwc_read(uint64_t caller, const void *at, unsigned size,
                    enum wire_mode mode);
void __hwc_write(uint64_t caller, void *at, unsigned size, enum wire_mode mode,
                 uint64_t value);

/* Mutexes, for condition variables; and what the thread holds. */
int __hwc_lock(uint64_t caller, void *mutex);
int __hwc_unlock(uint64_t caller, void *mutex);
struct held *__hwc_find_held(const void *lock);
void __hwc_hold(uint64_t caller, const void *lock, uint32_t count);

/* Plain ones: in memory.c, so that they are seen as the program's. */
uint64_t __hwc_load(const void *at, unsigned size);
void __hwc_store(void *at, unsigned size, uint64_t value);

#endif
