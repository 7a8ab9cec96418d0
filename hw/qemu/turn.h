/* How hwcheck and its QEMU plugin take turns at a wire: the one whose turn it
 * is may touch the words, and gives the turn to the other with all that it
 * wrote. All of it is here, for the plugin is linked with nothing of ours. */
#ifndef HW_QEMU_TURN_H
#define HW_QEMU_TURN_H

#include "hw/qemu/wire.h"

#include <linux/futex.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* How long to look for one's turn before sleeping. Turns are short: with a core
 * to spare looking is far cheaper than two system calls, without one it only
 * keeps the other side waiting. So what helped lately decides, and now and then
 * it is tried again. */
struct turn_patience {
    uint32_t budget, waits;
};

#define TURN_PATIENCE 1500

static inline bool turn_look(struct turn_patience *p, _Atomic uint32_t *turn,
                             uint32_t ours)
{
    uint32_t n = ++p->waits % 1024 == 1 ? TURN_PATIENCE : p->budget;
    for (uint32_t i = 0; i < n; i++) {
        /* Pairs with the store in turn_give: the other's words are there. */
        if (atomic_load_explicit(turn, memory_order_acquire) == ours) {
            /* At once: the other side ran in our place, and looking longer is
             * of no use when it does not. */
            if (i > 0 && p->budget < TURN_PATIENCE)
                p->budget += TURN_PATIENCE / 8;
            return true;
        }
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
    }
    p->budget -= p->budget / 4;
    return false;
}

/* Store buffering with turn_wait: of "it is yours" and "I am about to sleep"
 * one side sees what the other wrote, so that no one sleeps unnoticed. */
static inline void turn_give(struct wire *w, uint32_t to)
{
    atomic_store_explicit(&w->turn, to, memory_order_seq_cst);
    if (atomic_load_explicit(&w->sleeps[to], memory_order_seq_cst))
        syscall(SYS_futex, &w->turn, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* Waits for one's turn. Whenever a sleep ends without it, after `slice_ms` at
 * most, asks whether to go on; false: `go_on` said no. */
static inline bool turn_wait(struct wire *w, struct turn_patience *p,
                             uint32_t ours, unsigned slice_ms,
                             bool (*go_on)(void *self), void *self)
{
    if (turn_look(p, &w->turn, ours))
        return true;
    struct timespec slice = {slice_ms / 1000, slice_ms % 1000 * 1000000L};
    bool waits = true;
    atomic_store_explicit(&w->sleeps[ours], 1, memory_order_seq_cst);
    while (atomic_load_explicit(&w->turn, memory_order_seq_cst) != ours &&
           waits)
        waits = syscall(SYS_futex, &w->turn, FUTEX_WAIT, !ours, &slice, NULL,
                        0) == 0 ||
                atomic_load_explicit(&w->turn, memory_order_seq_cst) == ours ||
                go_on(self);
    atomic_store_explicit(&w->sleeps[ours], 0, memory_order_relaxed);
    return waits;
}

#endif
