#include "frontend/subject/subject.h"

#include "core/mem.h"
#include "hw/qemu/qemu_deps.h"

#include <stdlib.h>
#include <string.h>

/* ---- mappings */

/* What --mapping and --map name, loaded. */
struct mappings {
    struct mapping *loaded; /* of --mapping, then of each --map */
    struct lower_map *maps;
    char (*threads)[64];
    const struct mapping *all; /* NULL: native */
    uint32_t n;
};

/* NULL: native. */
static bool load_mapping(const char *name, struct mapping *m,
                         const struct mapping **out, struct err *err)
{
    if (!name || strcmp(name, "native") == 0)
        return true;
    *out = m;
    return mapping_load(m, name, err);
}

static bool load_mappings(struct mappings *ms, const struct options *o,
                          struct err *err)
{
    ms->n = o->map.n;
    ms->loaded = mem_resize(NULL, (ms->n + 1) * sizeof *ms->loaded);
    ms->maps = mem_resize(NULL, (ms->n + 1) * sizeof *ms->maps);
    ms->threads = mem_resize(NULL, (ms->n + 1) * sizeof *ms->threads);
    memset(ms->loaded, 0, (ms->n + 1) * sizeof *ms->loaded);
    for (uint32_t i = 0; i < ms->n; i++) {
        const char *text = o->map.items[i], *equal = strchr(text, '=');
        if (!equal || equal == text || equal - text > 63 || !equal[1])
            return err_set(err, ERR_USAGE,
                           "--map: expected THREAD=NAME, got '%s'", text);
        snprintf(ms->threads[i], sizeof ms->threads[i], "%.*s",
                 (int)(equal - text), text);
        ms->maps[i] = (struct lower_map){ms->threads[i], NULL};
        if (!load_mapping(equal + 1, &ms->loaded[i + 1], &ms->maps[i].mapping,
                          err))
            return false;
    }
    return load_mapping(o->mapping, &ms->loaded[0], &ms->all, err);
}

static void release_mappings(struct mappings *ms)
{
    for (uint32_t i = 0; ms->loaded && i < ms->n + 1; i++)
        mapping_release(&ms->loaded[i]);
    free(ms->loaded);
    free(ms->maps);
    free(ms->threads);
}

static bool build_target(struct subject *s, const struct options *o,
                         const char *path, struct err *err)
{
    struct mappings ms = {0};
    struct target_options options = {
        .isa = s->isa,
        .cc = o->cc,
        .inputs = o->n_files ? o->operands : &path,
        .n_inputs = o->elf       ? 0
                    : o->n_files ? o->n_files
                                 : 1,
        .elf = o->elf ? path : NULL,
        .cflags = (const char *const *)o->cflags,
        .n_cflags = o->n_cflags,
        .atomic_pairs = o->atomic_pairs,
        .keeps_statics = o->keeps_statics,
        .entry = o->entry,
        .objects = o->object.items,
        .n_objects = o->object.n,
        .assemblies = o->assembly.items,
        .n_assemblies = o->assembly.n,
    };
    bool good = load_mappings(&ms, o, err);
    options.mapping = ms.all;
    options.maps = ms.maps;
    options.n_maps = ms.n;
    good = good && target_build(&s->target, &options, err);
    release_mappings(&ms);
    return good;
}

static bool init_machine(struct subject *s, const struct options *o,
                         const char *path, struct err *err)
{
    struct qemu_options qemu = {.qemu = o->qemu, .unroll = o->unroll};
    if (!build_target(s, o, path, err) ||
        !qemu_runtime_init(&s->machine, &s->target.image, &s->program, &qemu,
                           err))
        return false;
    qemu_deps_give(&s->machine);
    s->main = qemu_runtime_function(&s->machine, s->target.image.main, true);
    return true;
}

/* The user's flags; of a check without those that concern the machine, which
 * the source's compiler would not know. To be freed. */
static const char **source_flags(const struct options *o, int *n)
{
    const char **flags = mem_resize(NULL, (o->n_cflags + 1) * sizeof *flags);
    *n = 0;
    for (uint32_t i = 0; i < o->n_cflags; i++)
        if (o->command != COMMAND_CHECK || strncmp(o->cflags[i], "-m", 2) != 0)
            flags[(*n)++] = o->cflags[i];
    return flags;
}

static bool init_source(struct subject *s, const struct options *o,
                        const char *path, struct err *err)
{
    struct source_options options = {
        .abi = o->abi,
        .unroll = o->unroll,
        .show_output = o->show_output,
        .entry = o->entry,
        .more = o->n_files ? o->operands + 1 : NULL,
        .n_more = o->n_files ? o->n_files - 1 : 0,
    };
    const char **flags = source_flags(o, &options.n_cflags);
    options.cflags = flags;
    bool good = compile_program(&s->source, &options, path, &s->program, err);
    free(flags);
    if (good)
        s->main = source_main(&s->source);
    return good;
}

bool subject_init(struct subject *s, const struct options *o,
                  const struct isa *isa, const char *path, struct err *err)
{
    memset(s, 0, sizeof *s);
    s->isa = isa;
    program_init(&s->program);
    s->program.big_endian = isa && isa->big_endian;
    return isa ? init_machine(s, o, path, err) : init_source(s, o, path, err);
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

uint32_t subject_function(struct subject *s, const char *name)
{
    const struct image *im = &s->source.image;
    uint64_t addr;
    if (s->isa)
        return target_find(&s->target, name, true, &addr)
                   ? qemu_runtime_function(&s->machine, addr, true)
                   : UINT32_MAX;
    for (uint32_t i = 0; i < im->n_functions; i++)
        if (strcmp(s->program.texts[im->functions[i].name], name) == 0)
            return i;
    return UINT32_MAX;
}

void subject_each_entry(const struct subject *s, const char *entry,
                        void (*visit)(void *self, const char *name), void *self)
{
    const struct image *im = &s->source.image;
    for (uint32_t i = 0; i < im->n_functions; i++)
        if (source_is_entry(&s->source, i, entry))
            visit(self, s->program.texts[im->functions[i].name]);
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
