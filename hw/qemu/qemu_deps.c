#include "hw/qemu/qemu_deps.h"

#include "core/mem.h"

/* The first source in one of the sets that is not below `from`; UINT32_MAX:
 * none. */
static uint32_t next_source(const uint64_t *const *sets, uint32_t n_words,
                            uint32_t from)
{
    uint32_t first = UINT32_MAX;
    for (uint32_t kind = 0; kind < DEP_KINDS; kind++) {
        uint32_t source =
            sets[kind] ? deps_next(sets[kind], n_words, from) : UINT32_MAX;
        first = source < first ? source : first;
    }
    return first;
}

/* What flows into the event, as the list of its label: by source, and of one
 * source by kind, as program_deps wants them. */
static void on_event(void *self, node_id node,
                     const struct instruction *instruction, int access,
                     const struct deps_out *out)
{
    struct qemu_runtime *r = self;
    struct label *label = &r->replay.path->nodes[node].label;
    const uint64_t *sets[DEP_KINDS] = {
        [DEP_CTRL] = out->ctrl, [DEP_PICK_CTRL] = out->pctrl};
    (void)instruction;
    if (access >= 0) {
        const struct deps_event *e = &out->accesses[access];
        sets[DEP_ADDR] = e->addr;
        sets[DEP_DATA] = e->data;
        sets[DEP_PICK_ADDR] = e->paddr;
        sets[DEP_PICK_DATA] = e->pdata;
        sets[DEP_OPEN] = e->open;
    }
    r->n_event_deps = 0;
    for (uint32_t source = 0;
         (source = next_source(sets, out->n_words, source)) != UINT32_MAX;
         source++)
        for (uint32_t kind = 0; kind < DEP_KINDS; kind++) {
            if (!sets[kind] ||
                deps_next(sets[kind], out->n_words, source) != source)
                continue;
            r->event_deps = mem_room(r->event_deps, r->n_event_deps,
                                     &r->event_deps_cap, sizeof *r->event_deps);
            r->event_deps[r->n_event_deps++] = (struct dep){kind, source};
        }
    label->deps = program_deps(r->program, r->event_deps, r->n_event_deps);
}

static const char *name_instruction(void *self, node_id node)
{
    const struct instruction *in = qemu_runtime_instruction(self, node);
    return in ? in->text : "";
}

void qemu_deps_give(struct qemu_runtime *r)
{
    r->on_event = on_event;
    r->on_event_self = r;
    r->runtime.gives_deps = true;
    r->program->name = qemu_runtime_name;
    r->program->self = r;
    r->program->instruction = name_instruction;
    r->program->instruction_self = r;
}
