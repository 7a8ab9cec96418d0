#include "frontend/subject.h"

#include <string.h>

/* The sets of reads of one kind of dependency, as a list. */
static void push_deps(struct dep *deps, uint32_t *n, enum dep_kind kind,
                      const uint64_t *set, uint32_t n_words)
{
    for (uint32_t read = 0;
         (read = deps_next(set, n_words, read)) != UINT32_MAX && *n < 512;
         read++)
        deps[(*n)++] = (struct dep){kind, read};
}

/* Dependencies go with the label, which was just added. */
static void on_event(void *self, node_id node,
                     const struct instruction *instruction, int access,
                     const struct deps_out *out)
{
    struct subject *s = self;
    struct dep deps[512];
    uint32_t n = 0;
    (void)instruction;
    if (access >= 0) {
        const struct deps_event *e = &out->accesses[access];
        push_deps(deps, &n, DEP_ADDR, e->addr, out->n_words);
        push_deps(deps, &n, DEP_DATA, e->data, out->n_words);
        push_deps(deps, &n, DEP_PICK_ADDR, e->paddr, out->n_words);
        push_deps(deps, &n, DEP_PICK_DATA, e->pdata, out->n_words);
    }
    push_deps(deps, &n, DEP_CTRL, out->ctrl, out->n_words);
    push_deps(deps, &n, DEP_PICK_CTRL, out->pctrl, out->n_words);
    struct path *path = s->machine.replay.path;
    path->nodes[node].label.deps = program_deps(&s->program, deps, n);
}

static const char *name_instruction(void *self, node_id node)
{
    uint64_t pc;
    return subject_instruction(self, node, &pc);
}

static bool init_machine(struct subject *s, const struct options *o,
                         const char *path, struct err *err)
{
    struct target_options options = {
        .isa = s->isa,
        .cc = o->cc,
        .inputs = &path,
        .n_inputs = o->elf ? 0 : 1,
        .elf = o->elf ? path : NULL,
        .cflags = (const char *const *)o->cflags,
        .n_cflags = o->n_cflags,
    };
    struct qemu_options qemu = {.qemu = o->qemu, .unroll = o->unroll};
    if (!target_build(&s->target, &options, err) ||
        !qemu_runtime_init(&s->machine, &s->target.image, &s->program, &qemu,
                           err))
        return false;
    s->machine.on_event = on_event;
    s->machine.on_event_self = s;
    s->machine.runtime.gives_deps = true;
    s->program.name = qemu_runtime_name;
    s->program.self = &s->machine;
    s->program.instruction = name_instruction;
    s->program.instruction_self = s;
    s->main = qemu_runtime_function(&s->machine, s->target.image.main, true);
    return true;
}

bool subject_init(struct subject *s, const struct options *o,
                  const struct isa *isa, const char *path, struct err *err)
{
    struct source_options options = {
        .cflags = (const char *const *)o->cflags,
        .n_cflags = (int)o->n_cflags,
        .unroll = o->unroll,
        .show_output = o->show_output,
    };
    memset(s, 0, sizeof *s);
    s->isa = isa;
    program_init(&s->program);
    if (isa)
        return init_machine(s, o, path, err);
    if (!compile_program(&s->source, &options, path, &s->program, err))
        return false;
    s->main = source_main(&s->source);
    return true;
}

void subject_release(struct subject *s)
{
    if (s->isa) {
        if (s->machine.image)
            qemu_runtime_release(&s->machine);
        target_release(&s->target);
    } else
        source_release(&s->source);
    program_release(&s->program);
}

const struct runtime *subject_runtime(struct subject *s)
{
    return s->isa ? &s->machine.runtime : source_runtime(&s->source);
}

const char *subject_instruction(struct subject *s, node_id node, uint64_t *pc)
{
    const struct instruction *in =
        s->isa ? qemu_runtime_instruction(&s->machine, node) : NULL;
    *pc = in ? in->pc : 0;
    return in ? in->text : "";
}
