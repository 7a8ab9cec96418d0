/* What the plugin recorded of a run, as labels.
 *
 * A run starts at the thread's first instruction, so most of its labels are in
 * the path cache already: the first `skip` are only counted. Values of the past
 * answer what the thread asked; where they end, the label that asks is the last
 * one. Everything else (places, locks, loops) follows from the records. */
#include "hw/qemu/qemu_access.h"
#include "hw/qemu/qemu_image.h"
#include "hw/qemu/qemu_label.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Of iterations; a loop without events may only compute, so it gets more. */
#define UNROLL_DEFAULT   10000
#define QUIET_LOOPS_MAX  1000 /* that only read: they may wait */
#define PAGE_BYTES       4096
#define SILENT_LOOPS_MAX 2000000
#define SILENT_STEPS_MAX 200000000

/* For the instruction's events that are new: what they depend on. */
static void report_deps(struct qemu_runtime *r, const struct instruction *in,
                        const struct qemu_access *m)
{
    const struct qemu_replay *p = &r->replay;
    struct deps_out out;
    struct deps_dynamic dynamic = {.accesses = m->deps,
                                   .selection = p->selection};
    deps_step(&r->deps, m->effect, &dynamic, &out);
    for (uint32_t i = 0; i < p->n_events; i++)
        r->on_event(r->on_event_self, p->events[i].node, in,
                    p->events[i].access, &out);
}

/* ---- calls and loops */

static const struct live_set *live(struct qemu_runtime *r, uint64_t pc)
{
    const struct qemu_replay *p = &r->replay;
    return live_at(&r->live, pc, p->n_callers == 0 && !p->lost);
}

/* Where an instruction reads or writes the stack; 0: it does not. */
static uint64_t stack_address(const struct wire_record *recs, uint32_t n)
{
    return n > 0 ? recs[n - 1].addr : 0;
}

static void note_call(struct qemu_runtime *r, uint64_t returns_to,
                      uint64_t pushed)
{
    struct qemu_replay *p = &r->replay;
    if (p->n_callers == QEMU_CALLERS) {
        p->lost = true;
        return;
    }
    p->callers[p->n_callers++] = (struct qemu_call){
        .returns_to = returns_to,
        .pushed = pushed,
        .stack = r->spin.regs[r->image->isa->stack_register],
    };
}

/* Control comes to pc after a return, or from the library, which may also call
 * the program. The stack pointer is what it was before the call: on x86 the
 * return address says so, elsewhere the ABI. */
static void note_return(struct qemu_runtime *r, uint64_t pc)
{
    struct qemu_replay *p = &r->replay;
    uint32_t n = p->n_callers;
    while (p->last_is_return && n > 0 && p->callers[n - 1].returns_to != pc)
        n--;
    if (n > 0 && p->callers[n - 1].returns_to == pc) {
        p->n_callers = n - 1;
        const struct qemu_call *call = &p->callers[n - 1];
        /* The library's own returns are not seen; it keeps to the ABI. */
        bool paired = p->last_is_return ? call->pushed == p->popped
                                        : p->in_call && p->last_is_call;
        if (paired)
            r->spin.regs[r->image->isa->stack_register] = call->stack;
    } else if (p->last_is_return) {
        p->lost = true;
    }
}

/* what == NULL: it can be seen that the loop never ends. */
static void bound(struct qemu_runtime *r, uint64_t head, const char *what)
{
    place_id place = qemu_runtime_place(r, head);
    char where[300];
    program_print_place(r->program, place, where, sizeof where);
    const char *function = "?";
    if (place != PLACE_NONE)
        function = r->program->texts[r->program->places[place].function];
    r->replay.user_pc = head;
    qemu_label_end_with(r, LABEL_BOUND, what ? 0 : BOUND_ENDLESS,
                        "loop at %s in %s: %s, at 0x%" PRIx64, where, function,
                        what ? what : "never ends", head);
}

/* Ends the run if the loop only waits, or goes on for too long. */
static void arrive_at_loop(struct qemu_runtime *r, uint64_t pc, bool back)
{
    struct qemu_replay *p = &r->replay;
    const struct spin_loop *l;
    p->loop = pc;
    enum spin_result result = spin_arrive(&r->spin, pc, back, live(r, pc), &l);
    char text[60];
    uint64_t max = r->unroll ? r->unroll : UNROLL_DEFAULT;
    if (!r->unroll && l->quiet > QUIET_LOOPS_MAX)
        max = QUIET_LOOPS_MAX;
    if (result == SPIN_BLOCK) {
        qemu_label_block(r, BLOCK_SPIN, l->round);
    } else if (result == SPIN_ENDLESS) {
        bound(r, pc, NULL);
    } else if (l->busy > max) {
        snprintf(text, sizeof text, "more than %" PRIu64 " iterations", max);
        bound(r, pc, text);
    } else if (l->iterations > SILENT_LOOPS_MAX ||
               p->instructions > SILENT_STEPS_MAX) {
        snprintf(text, sizeof text, "more than %" PRIu64 " iterations",
                 l->iterations);
        bound(r, pc, text);
    }
}

/* Executes the instruction at pc with its `n` records. False: the run ends. */
static bool step(struct qemu_runtime *r, uint64_t pc,
                 const struct wire_record *recs, uint32_t n,
                 const struct instruction **out)
{
    struct qemu_replay *p = &r->replay;
    const struct instruction *in = decode_at(&r->decode, pc);
    *out = in;
    if (in && in->is_loop_head && !p->begins_block)
        arrive_at_loop(r, pc, false);
    if (p->over)
        return false;
    p->begins_block = false;
    if (in && p->selection == DEPS_UNKNOWN && qemu_image_has_stub(r, in))
        return true; /* it comes next */
    p->instructions++;
    p->last_pc = pc;
    p->n_events = 0;
    if (qemu_label_is_user_code(r, pc))
        p->user_pc = pc;
    if (!in || in->effect.kind != EFFECT_KNOWN) {
        qemu_label_end_with(r, LABEL_UNMODELLED, 0,
                            "unknown instruction '%s' at 0x%" PRIx64,
                            in ? in->text : "?", pc);
        return false;
    }
    struct qemu_access m;
    qemu_access_begin(&m, &in->effect);
    bool goes_on = true;
    for (uint32_t i = 0; goes_on && i < n; i++)
        goes_on = qemu_access_memory(r, &m, &recs[i]);
    p->access = -1;
    if (goes_on && !qemu_access_is_complete(&m)) {
        qemu_label_end_with(r, LABEL_UNMODELLED, 0,
                            "QEMU does not tell what '%s' at 0x%" PRIx64
                            " does to memory",
                            in->text, pc);
        goes_on = false;
    }
    goes_on = goes_on && qemu_access_end_reservation(r, &m);
    if (goes_on && in->effect.fence)
        qemu_label_add_fence(r, in->effect.fence, pc);
    if (r->on_event)
        report_deps(r, in, &m);
    if (!goes_on)
        return false;
    if (in->effect.is_call) {
        note_call(r, pc + in->length, stack_address(recs, n));
        p->callee = in->effect.target;
    }
    if (in->effect.is_return)
        p->popped = stack_address(recs, n);
    spin_step(&r->spin, pc, &in->effect, &m.values);
    p->last_branch = in->effect.branch;
    p->last_is_call = in->effect.is_call || in->effect.is_return;
    p->last_is_return = in->effect.is_return;
    return true;
}

static bool is_in_stub(const struct qemu_runtime *r, uint64_t pc)
{
    return pc - r->image->stubs.from <
           (uint64_t)r->n_selections * STUB_WORDS * 4;
}

/* A block in a stub. The selection itself stands at another place, to which the
 * stub returns. */
static bool step_stub(struct qemu_runtime *r, uint64_t pc)
{
    struct qemu_replay *p = &r->replay;
    const struct instruction *in;
    uint64_t word = (pc - r->image->stubs.from) / 4;
    if (word % STUB_WORDS == STUB_SKIP)
        return true;
    p->begins_block = true;
    p->selection =
        word % STUB_WORDS == STUB_NOT_HELD ? DEPS_NOT_HELD : DEPS_HELD;
    bool goes_on = step(r, r->selections[word / STUB_WORDS], NULL, 0, &in);
    p->selection = DEPS_UNKNOWN;
    return goes_on;
}

/* Was the library called only to let others run? */
static bool calls_pause(const struct qemu_runtime *r)
{
    static const char *const names[] = {"sched_yield", "thrd_yield",
                                        "pthread_yield", "usleep"};
    const struct machine_image *im = r->image;
    struct machine_position at = {0};
    if (!r->replay.callee || !im->find ||
        !im->find(im->self, r->replay.callee, &at) || !at.function)
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(at.function, names[i]) == 0)
            return true;
    return false;
}

/* Control comes to `pc`, where a block begins. */
static void arrive(struct qemu_runtime *r, uint64_t pc)
{
    struct qemu_replay *p = &r->replay;
    bool back = (p->last_branch == BRANCH_DIRECT ||
                 p->last_branch == BRANCH_CONDITIONAL) &&
                !p->last_is_call && !p->in_call && pc <= p->last_pc;
    if (p->in_call || p->last_is_return)
        note_return(r, pc);
    if (p->in_call)
        spin_call(&r->spin, pc, calls_pause(r));
    p->in_call = p->last_is_return = false;
    const struct instruction *in = decode_at(&r->decode, pc);
    if (back || (in && in->is_loop_head))
        arrive_at_loop(r, pc, back);
}

/* An instruction over the end of a page is alone in its block: QEMU gives up a
 * longer block before it, but has counted it already. It comes next. */
static bool is_given_up(struct qemu_runtime *r)
{
    const struct qemu_replay *p = &r->replay;
    if (p->left != 1 || p->begins_block)
        return false;
    const struct instruction *in = decode_at(&r->decode, p->pc);
    return in && p->pc / PAGE_BYTES != (p->pc + in->length - 1) / PAGE_BYTES;
}

/* The instructions up to `pc`, which made no records. False: the run ends. */
static bool run_up_to(struct qemu_runtime *r, uint64_t pc)
{
    struct qemu_replay *p = &r->replay;
    const struct instruction *in;
    while (p->left > 0 && p->pc != pc && !is_given_up(r)) {
        if (!step(r, p->pc, NULL, 0, &in))
            return false;
        p->pc += in->length;
        p->left--;
    }
    return true;
}

/* ---- the whole run */

/* The accesses of one instruction, from record i on; how many in *n. */
static bool accesses(struct qemu_runtime *r, const struct wire_record *recs,
                     uint32_t left, uint32_t *n)
{
    struct qemu_replay *p = &r->replay;
    const struct instruction *in;
    for (*n = 1;
         *n < left && recs[*n].pc == recs->pc &&
         (recs[*n].type == RECORD_LOAD || recs[*n].type == RECORD_STORE);
         ++*n)
        ;
    if (!run_up_to(r, recs->pc))
        return false;
    if (p->left == 0) {
        p->diverged = true;
        return false;
    }
    if (!step(r, recs->pc, recs, *n, &in))
        return false;
    p->pc += in->length;
    p->left--;
    return true;
}

/* A thread whose stack others see allocates it first of all. */
static void allocate_stack(struct qemu_runtime *r)
{
    const struct wire *w = r->link.wire;
    uint64_t own = wire_region(r->replay.thread) + WIRE_OWN;
    bool shared = false;
    for (uint32_t i = 0; i < w->n_shared; i++)
        shared |= w->shared[i] * 8 - own < WIRE_OWN_END - WIRE_OWN;
    if (!shared)
        return;
    struct label label = {
        .kind = LABEL_ALLOC,
        .place = PLACE_NONE,
        .tags = TAG_BIT(TAG_ALLOC),
        .loc = locations_object(&r->program->locations, own),
        .aux = 1,
        .value = WIRE_OWN_END - WIRE_OWN,
    };
    qemu_label_add(r, &label, 0);
}

bool qemu_replay_records(struct qemu_runtime *r, bool last, struct err *err)
{
    (void)err;
    struct qemu_replay *p = &r->replay;
    const struct wire *w = r->link.wire;
    uint32_t n = 1;
    bool go_on = true;
    if (!p->has_started) {
        p->has_started = true;
        allocate_stack(r);
    }
    for (uint32_t i = 0; i < w->n_records && go_on && !p->over; i += n) {
        const struct wire_record *rec = &w->records[i];
        n = 1;
        switch ((enum wire_record_type)rec->type) {
        case RECORD_LOAD:
        case RECORD_STORE:
            go_on = accesses(r, rec, w->n_records - i, &n);
            break;
        case RECORD_BLOCK:
            go_on = run_up_to(r, 0);
            if (!go_on)
                break;
            if (is_in_stub(r, rec->pc)) {
                go_on = step_stub(r, rec->pc);
                break;
            }
            if (p->last_is_call && rec->pc == p->pc)
                p->in_call = true; /* back from the library */
            arrive(r, rec->pc);
            p->pc = rec->pc;
            p->left = rec->n;
            p->begins_block = true;
            break;
        case RECORD_OP:
            go_on = rec->n == OP_FAULT ? run_up_to(r, rec->word[1])
                                       : run_up_to(r, 0);
            if (go_on)
                go_on = qemu_library_operation(r, rec);
            break;
        }
    }
    if (p->guessing && p->node != p->sure)
        path_cut(p->path, p->sure);
    if (last && go_on && !p->done && w->status == STATUS_ENDED)
        p->diverged = true;
    return true;
}
