#include "frontend/check/check_view.h"

#include "core/mem.h"
#include "frontend/base/output.h"
#include "frontend/check/check_why.h"

#include <string.h>

void check_print_name(const struct check *c, char *buf, size_t cap)
{
    snprintf(buf, cap, "%s%s%s", c->path, c->entry ? ":" : "",
             c->entry ? c->entry : "");
}

void check_counts_add(struct check_counts *n, const struct check *c)
{
    n->n[c->verdict]++;
    n->n_buffering += c->verdict == CHECK_SOUND && c->n_buffering > 0;
}

uint32_t check_counts_all(const struct check_counts *n)
{
    uint32_t all = n->n_errors;
    for (int i = 0; i <= CHECK_INCONCLUSIVE; i++)
        all += n->n[i];
    return all;
}

/* Of an outcome that ends in a failure it is the failure. */
static const struct check_extra *extra_of(const struct check *c,
                                          const char *text)
{
    const char *failure = strstr(text, "! ");
    for (uint32_t i = 0; i < c->n_extras; i++)
        if (c->extras[i].violation == UINT32_MAX &&
            strcmp(c->extras[i].text, text) == 0)
            return &c->extras[i];
    for (uint32_t i = 0; failure && i < c->n_extras; i++)
        if (c->extras[i].violation != UINT32_MAX &&
            strstr(failure, c->extras[i].text))
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
    return check_extra_class(r->extra);
}

const char *check_extra_class(const struct check_extra *e)
{
    return e->allowed                 ? "ALLOWED"
           : e->buffering             ? "LOAD-BUFFERING"
           : e->open || e->may_buffer ? "UNDECIDED"
                                      : "MISCOMPILED";
}

const char *check_extra_text(const struct check_extra *e)
{
    return e->allowed      ? "allowed by the source, where it was looked for"
           : e->buffering  ? "load buffering"
           : e->open       ? "not found in the part of the source that was "
                             "explored"
           : e->may_buffer ? "forbidden by the source, or load buffering"
                           : "forbidden by the source";
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
    return e->violation != UINT32_MAX || e->why ||
           (e->stuck && e->kept != UINT32_MAX);
}

bool check_step_is_shown(const struct check_why *why,
                         const struct check_step *s)
{
    return s->machine[0] != EVENT_NONE && s->machine[1] != EVENT_NONE &&
           (s->is_culprit || (why->n_culprits == 0 && why->n_lacking == 0));
}

/* ---- rows of the mapping */

static enum map_order order_of(uint64_t tags)
{
    return tags & TAG_BIT(TAG_SC)        ? MAP_SEQ_CST
           : tags & TAG_BIT(TAG_ACQ_REL) ? MAP_ACQ_REL
           : tags & TAG_BIT(TAG_ACQ)     ? MAP_ACQUIRE
           : tags & TAG_BIT(TAG_REL)     ? MAP_RELEASE
           : tags & TAG_BIT(TAG_NA)      ? MAP_PLAIN
                                         : MAP_RELAXED;
}

/* Of a read-modify-write, whose halves may differ. */
static enum map_order order_of_both(uint64_t tags, uint64_t others)
{
    enum map_order a = order_of(tags), b = order_of(others);
    bool mixed = (a == MAP_ACQUIRE && b == MAP_RELEASE) ||
                 (a == MAP_RELEASE && b == MAP_ACQUIRE);
    return mixed ? MAP_ACQ_REL : a > b ? a : b;
}

/* Is it an access like this event of the source? */
static bool is_like(const struct map_key *k, const struct graph *g,
                    const struct event *e, const struct label *l)
{
    if (e->kind == LABEL_FENCE)
        return k->op == MAP_FENCE && k->order == order_of(e->tags);
    if (e->size != 1u << k->width)
        return false;
    if (!l->rmw)
        return k->op == (e->kind == LABEL_READ ? MAP_LOAD : MAP_STORE) &&
               k->order == order_of(e->tags);
    if (k->op <= MAP_FENCE)
        return false;
    if (e->rmw == EVENT_NONE) /* a compare-and-swap that fails */
        return k->op == MAP_CAS && k->failure == order_of(e->tags);
    return k->order == order_of_both(e->tags, g->events[e->rmw].tags);
}

/* What the event's row was looked up by. NULL: nothing, or there are several
 * accesses like it at its place (in a macro), and different rows for them. */
static const struct map_key *find_key(const struct check *c,
                                      const struct check_why *why, event_id id)
{
    const struct program *p = &c->source->subject.program;
    const struct lower_uses *uses = &c->target->subject.target.uses;
    const struct graph *g = &why->explanation.graph;
    const struct label *l =
        path_label(&why->explanation.x.path, g->events[id].node);
    const struct map_key *found = NULL;
    if (l->place >= p->n_places)
        return NULL;
    for (uint32_t i = 0; i < uses->n; i++) {
        const struct lower_use *u = &uses->list[i];
        if (u->line != p->places[l->place].line ||
            u->column != p->places[l->place].column ||
            !is_like(&u->key, g, &g->events[id], l))
            continue;
        if (found &&
            (found->op != u->key.op || mapping_find(c->mapping, found) !=
                                           mapping_find(c->mapping, &u->key)))
            return NULL;
        found = &u->key;
    }
    return found;
}

bool check_map_row(const struct check *c, const struct check_why *why,
                   event_id e, struct check_map_row *row)
{
    struct err ignored;
    if (!c->mapping || c->options->map.n)
        return false;
    const struct map_key *found = find_key(c, why, e);
    const struct map_template *t =
        found ? mapping_find(c->mapping, found) : NULL;
    if (!t || !mapping_expand(c->mapping, found, t, row->text, &ignored))
        return false;
    if (!row->text[strspn(row->text, " ")])
        strcpy(row->text, "-");
    struct map_key key = *found;
    key.unused = false; /* said only of a row that is for this alone */
    key.unused = found->unused && mapping_find(c->mapping, &key) != t;
    mapping_place(c->mapping, t, row->place, sizeof row->place);
    mapping_print_key(&key, row->key, sizeof row->key);
    return true;
}

event_id check_step_next(const struct check_why *why,
                         const struct check_step *s, event_id e)
{
    const struct graph *g = &why->explanation.graph;
    if (e == s->source[1])
        return EVENT_NONE;
    do
        e = g->events[e].po_next;
    while (e != s->source[1] && g->events[e].kind != LABEL_FENCE);
    return e;
}

void check_print_warning(const struct explore *x, uint32_t number, char *buf,
                         size_t cap)
{
    char place[400] = "";
    if (x->warning_places[number] != PLACE_NONE)
        program_print_place(x->program, x->warning_places[number], place,
                            sizeof place);
    snprintf(buf, cap, "%s%s%s", place, place[0] ? ": " : "",
             x->program->texts[x->warnings[number]]);
}

bool check_write(const struct check *c, const char *path, check_printer *print,
                 struct err *err)
{
    struct output out;
    if (!output_open(&out, path, err))
        return false;
    print(c, out.file);
    return output_close(&out, err);
}
