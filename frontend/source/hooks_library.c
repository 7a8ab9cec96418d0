#include "frontend/source/hooks_library.h"

#include "core/halt.h"

#include <inttypes.h>
#include <stdio.h>

/* Of an iteration count; a loop without events may only compute, so it gets
 * far more. */
#define UNROLL_DEFAULT   10000
#define QUIET_LOOPS_MAX  1000 /* that only read: they may wait */
#define SILENT_LOOPS_MAX 100000000

/* How many values an unbounded nondeterministic integer takes: 0 to 3. */
#define NONDET_VALUES 4

/* n == 0: it can be seen that the loop never ends. */
_Noreturn static void bound(struct hooks *h, uint32_t loop, uint64_t n)
{
    const struct image_loop *l = &h->image->loops[loop];
    char place[300], text[500], what[60] = "never ends";
    program_print_place(h->program, l->place, place, sizeof place);
    if (n)
        snprintf(what, sizeof what, "more than %" PRIu64 " iterations", n);
    snprintf(text, sizeof text, "loop at %s in %s: %s", place,
             h->program->texts[l->function], what);
    struct label label = {
        .kind = LABEL_BOUND,
        .place = l->place,
        .loc = LOC_NONE,
        .aux = program_text(h->program, text),
        .value = n ? 0 : BOUND_ENDLESS,
    };
    hooks_end(h, &label);
}

/* An iteration that left everything as it was can only read again: the same is
 * reached by reading later the first time, so the thread stops here. Fences
 * and choices leave nothing behind either.
 *
 * The same holds when all that changed is the value last read from `addr`, if
 * the loop was entered right after a read of it: that read could have returned
 * the value at once. Right after, since with another event between them, the
 * value may be one that exists only after that event. */
uint64_t hooks_on_loop(struct hooks *h, uint32_t site, uint64_t frame,
                       uint64_t number, uint64_t flags, uint64_t addr)
{
    struct hooks_loop *l = (struct hooks_loop *)(uintptr_t)frame;
    if (!(flags & LOOP_AGAIN)) {
        *l = (struct hooks_loop){
            .effects = h->effects,
            .events = h->events,
            .bound = l->bound,
            .waits = addr && h->thread->last_read == addr,
        };
        return 0;
    }
    if (halt_reason() != HALT_NONE)
        hooks_stop(h, (uint32_t)number);
    bool quiet = l->effects == h->effects;
    bool busy = l->events != h->events;
    if (quiet && busy && (flags & LOOP_SAME || l->waits))
        hooks_wait(h, site, h->events - l->events);
    if (quiet && flags & LOOP_SAME)
        bound(h, (uint32_t)number, 0);
    l->waits = 0;
    l->effects = h->effects;
    l->events = h->events;
    l->busy += busy;
    l->quiet = quiet && busy ? l->quiet + 1 : 0;
    l->iterations++;
    uint64_t max = l->bound ? l->bound : h->unroll;
    if (!max && l->quiet > QUIET_LOOPS_MAX)
        bound(h, (uint32_t)number, QUIET_LOOPS_MAX);
    if (l->busy > (max ? max : UNROLL_DEFAULT))
        bound(h, (uint32_t)number, max ? max : UNROLL_DEFAULT);
    if (l->iterations > SILENT_LOOPS_MAX)
        bound(h, (uint32_t)number, SILENT_LOOPS_MAX);
    return 0;
}

uint64_t hooks_on_bound(struct hooks *h, uint32_t site, uint64_t frame,
                        uint64_t n, uint64_t c, uint64_t d)
{
    (void)h, (void)site, (void)c, (void)d;
    if (frame)
        ((struct hooks_loop *)(uintptr_t)frame)->bound = n;
    return 0;
}

uint64_t hooks_on_enter(struct hooks *h, uint32_t site, uint64_t a, uint64_t b,
                        uint64_t c, uint64_t d)
{
    (void)a, (void)b, (void)c, (void)d;
    if ((char *)__builtin_frame_address(0) < h->stack_limit)
        hooks_fail(h, site, VIOLATION_STACK_OVERFLOW, "stack overflow");
    return 0;
}

uint64_t hooks_on_call(struct hooks *h, uint32_t site, uint64_t function,
                       uint64_t b, uint64_t c, uint64_t d)
{
    (void)b, (void)c, (void)d;
    if (image_find_function(h->image, function) == UINT32_MAX)
        hooks_fail(h, site, VIOLATION_INVALID_ACCESS, "call of 0x%llx: %s",
                   (unsigned long long)function,
                   function ? "not a function" : "null pointer");
    return 0;
}

uint64_t hooks_on_unreachable(struct hooks *h, uint32_t site, uint64_t a,
                              uint64_t b, uint64_t c, uint64_t d)
{
    (void)a, (void)b, (void)c, (void)d;
    hooks_fail(h, site, VIOLATION_ABORT,
               "code that the program declares unreachable");
}

uint64_t hooks_on_assert_fail(struct hooks *h, uint32_t site, uint64_t text,
                              uint64_t b, uint64_t c, uint64_t d)
{
    (void)b, (void)c, (void)d;
    hooks_fail(h, site, VIOLATION_ASSERT, "assertion '%s' failed",
               hooks_string(h, text));
}

uint64_t hooks_on_assert(struct hooks *h, uint32_t site, uint64_t condition,
                         uint64_t b, uint64_t c, uint64_t d)
{
    (void)b, (void)c, (void)d;
    if (!condition)
        hooks_fail(h, site, VIOLATION_ASSERT, "assertion failed");
    return 0;
}

uint64_t hooks_on_error(struct hooks *h, uint32_t site, uint64_t a, uint64_t b,
                        uint64_t c, uint64_t d)
{
    (void)a, (void)b, (void)c, (void)d;
    hooks_fail(h, site, VIOLATION_ASSERT, "error function called");
}

uint64_t hooks_on_abort(struct hooks *h, uint32_t site, uint64_t a, uint64_t b,
                        uint64_t c, uint64_t d)
{
    (void)a, (void)b, (void)c, (void)d;
    hooks_fail(h, site, VIOLATION_ABORT, "abort called");
}

uint64_t hooks_on_exit(struct hooks *h, uint32_t site, uint64_t status,
                       uint64_t b, uint64_t c, uint64_t d)
{
    (void)b, (void)c, (void)d;
    hooks_finish(h, site, (uint32_t)status, END_EXIT);
}

uint64_t hooks_on_assume(struct hooks *h, uint32_t site, uint64_t condition,
                         uint64_t b, uint64_t c, uint64_t d)
{
    (void)b, (void)c, (void)d;
    if (!condition)
        hooks_block(h, site, BLOCK_ASSUME);
    return 0;
}

uint64_t hooks_on_spin_end(struct hooks *h, uint32_t site, uint64_t done,
                           uint64_t b, uint64_t c, uint64_t d)
{
    (void)b, (void)c, (void)d;
    if (!done)
        hooks_block(h, site, BLOCK_SPIN);
    return 0;
}

static uint64_t choose(struct hooks *h, uint32_t site, uint64_t n)
{
    struct label label = {
        .kind = LABEL_CHOICE,
        .place = h->image->sites[site].place,
        .tags = TAG_BIT(TAG_CHOICE),
        .loc = LOC_NONE,
        .value = n,
    };
    return hooks_ask(h, &label);
}

uint64_t hooks_on_choose(struct hooks *h, uint32_t site, uint64_t lowest,
                         uint64_t highest, uint64_t c, uint64_t d)
{
    (void)c, (void)d;
    if ((int64_t)lowest > (int64_t)highest)
        hooks_block(h, site, BLOCK_ASSUME);
    if (highest - lowest >= UINT32_MAX)
        hooks_unmodelled(h, site, "choice between more than 2^32 values");
    return lowest + choose(h, site, highest - lowest + 1);
}

uint64_t hooks_on_nondet(struct hooks *h, uint32_t site, uint64_t a, uint64_t b,
                         uint64_t c, uint64_t d)
{
    (void)a, (void)b, (void)c, (void)d;
    /* Whoever reads SOUND must know of what. */
    struct label label = {
        .kind = LABEL_WARN,
        .place = h->image->sites[site].place,
        .loc = LOC_NONE,
        .aux = program_text(h->program,
                            "nondeterministic integer tried with 0 to 3 only; "
                            "hwc_choose takes a range"),
    };
    hooks_tell(h, &label);
    return choose(h, site, NONDET_VALUES);
}

uint64_t hooks_on_nondet_bool(struct hooks *h, uint32_t site, uint64_t a,
                              uint64_t b, uint64_t c, uint64_t d)
{
    (void)a, (void)b, (void)c, (void)d;
    return choose(h, site, 2);
}

uint64_t hooks_on_observe(struct hooks *h, uint32_t site, uint64_t name,
                          uint64_t value, uint64_t c, uint64_t d)
{
    (void)c, (void)d;
    struct label label = {
        .kind = LABEL_OBSERVE,
        .place = h->image->sites[site].place,
        .loc = LOC_NONE,
        .aux = program_text(h->program, hooks_string(h, name)),
        .value = value,
    };
    hooks_tell(h, &label);
    return 0;
}

uint64_t hooks_on_thread_number(struct hooks *h, uint32_t site, uint64_t a,
                                uint64_t b, uint64_t c, uint64_t d)
{
    (void)site, (void)a, (void)b, (void)c, (void)d;
    return h->thread->id;
}

/* One sequence a thread: a common one would be shared memory. */
uint64_t hooks_on_rand(struct hooks *h, uint32_t site, uint64_t a, uint64_t b,
                       uint64_t c, uint64_t d)
{
    (void)site, (void)a, (void)b, (void)c, (void)d;
    h->effects++;
    h->thread->random = h->thread->random * 6364136223846793005u + 1;
    return h->thread->random >> 33;
}

uint64_t hooks_on_srand(struct hooks *h, uint32_t site, uint64_t seed,
                        uint64_t b, uint64_t c, uint64_t d)
{
    (void)site, (void)b, (void)c, (void)d;
    h->effects++;
    h->thread->random = seed;
    return 0;
}

uint64_t hooks_on_nothing(struct hooks *h, uint32_t site, uint64_t a,
                          uint64_t b, uint64_t c, uint64_t d)
{
    (void)h, (void)site, (void)a, (void)b, (void)c, (void)d;
    return 0;
}

uint64_t hooks_on_time(struct hooks *h, uint32_t site, uint64_t addr,
                       uint64_t b, uint64_t c, uint64_t d)
{
    (void)b, (void)c, (void)d;
    if (addr)
        hooks_store(h, site, addr, 8, 0);
    return 0;
}
