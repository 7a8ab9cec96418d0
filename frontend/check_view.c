#include "frontend/check_view.h"

#include "core/mem.h"

#include <errno.h>
#include <string.h>

static const struct check_extra *extra_of(const struct check *c,
                                          const char *text)
{
    for (uint32_t i = 0; i < c->n_extras; i++)
        if (c->extras[i].violation == UINT32_MAX &&
            strcmp(c->extras[i].text, text) == 0)
            return &c->extras[i];
    return NULL;
}

struct check_row *check_rows_new(const struct check *c, uint32_t *n)
{
    const struct compare_set *s = &c->outcomes[0], *t = &c->outcomes[1];
    struct check_row *rows = mem_resize(NULL, (s->n + t->n + 1) * sizeof *rows);
    *n = 0;
    for (uint32_t i = 0, j = 0; i < s->n || j < t->n;) {
        int order = i == s->n   ? 1
                    : j == t->n ? -1
                                : strverscmp(s->list[i].text, t->list[j].text);
        struct check_row *r = &rows[(*n)++];
        r->text = order <= 0 ? s->list[i].text : t->list[j].text;
        r->source = order <= 0 ? s->list[i++].executions : 0;
        r->machine = order >= 0 ? t->list[j++].executions : 0;
        r->extra = r->source ? NULL : extra_of(c, r->text);
    }
    return rows;
}

const char *check_row_class(const struct check_row *r)
{
    if (!r->extra)
        return r->machine ? "ALLOWED" : "SOURCE-ONLY";
    return r->extra->buffering ? "LOAD-BUFFERING" : "MISCOMPILED";
}

const struct violation *check_extra_violation(const struct check *c,
                                              const struct check_extra *e)
{
    const struct explore *x = &c->target->explore;
    return e->violation < x->n_violations ? &x->violations[e->violation] : NULL;
}

const struct graph *check_extra_graph(const struct check *c,
                                      const struct check_extra *e)
{
    const struct violation *v = check_extra_violation(c, e);
    if (v)
        return &v->graph;
    return e->kept < c->target->explore.n_kept
               ? &c->target->explore.kept[e->kept]
               : NULL;
}

bool check_extra_is_shown(const struct check_extra *e)
{
    return e->violation != UINT32_MAX || e->why;
}

bool check_map_row(const struct check *c, const struct event *e,
                   struct check_map_row *row)
{
    enum map_order order = e->tags & TAG_BIT(TAG_SC)    ? MAP_SEQ_CST
                           : e->tags & TAG_BIT(TAG_ACQ) ? MAP_ACQUIRE
                           : e->tags & TAG_BIT(TAG_REL) ? MAP_RELEASE
                           : e->tags & TAG_BIT(TAG_NA)  ? MAP_PLAIN
                                                        : MAP_RELAXED;
    struct map_key key = {
        .op = e->kind == LABEL_READ    ? MAP_LOAD
              : e->kind == LABEL_WRITE ? MAP_STORE
                                       : MAP_FENCE,
        .order = order,
        .width = e->size ? (unsigned)__builtin_ctz(e->size) : 0,
    };
    struct err ignored;
    if (!c->mapping || c->options->map.n || e->rmw != EVENT_NONE)
        return false;
    const struct map_template *t = mapping_find(c->mapping, &key);
    if (!t || !mapping_expand(c->mapping, &key, t, row->text, &ignored))
        return false;
    mapping_place(c->mapping, t, row->place, sizeof row->place);
    mapping_print_key(&key, row->key, sizeof row->key);
    return true;
}

bool check_write(const struct check *c, const char *path, check_printer *print,
                 struct err *err)
{
    FILE *out = fopen(path, "w");
    if (out)
        print(c, out);
    bool bad = !out || ferror(out);
    if ((out && fclose(out) != 0) || bad)
        return err_set(err, ERR_SYSTEM, "cannot write '%s': %s", path,
                       strerror(errno));
    return true;
}
