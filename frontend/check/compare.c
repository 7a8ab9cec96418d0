#include "frontend/check/compare.h"

#include "core/mem.h"
#include "frontend/report/printed.h"
#include "frontend/report/report.h"
#include "frontend/report/witness.h"

#include <stdlib.h>
#include <string.h>

static const struct image *image_of(const struct compare *c)
{
    return &c->sides[COMPARE_SOURCE]->source.image;
}

/* ---- objects */

static int objects_by_address(const void *a, const void *b)
{
    const struct compare_object *x = a, *y = b;
    return x->addr < y->addr ? -1 : x->addr > y->addr;
}

/* How many variables of the same declaration stand before it. */
static uint32_t count_like(const struct image *im, uint32_t global)
{
    const struct image_global *g = &im->globals[global];
    uint32_t n = 0;
    for (uint32_t i = 0; i < global; i++) {
        const struct image_global *o = &im->globals[i];
        n += o->declared == g->declared && o->function == g->function &&
             o->file == g->file && o->line == g->line &&
             o->external == g->external;
    }
    return n;
}

/* Where the machine code has the source's variables. */
static void find_objects(struct compare *c)
{
    const struct image *im = image_of(c);
    char **texts = c->sides[COMPARE_SOURCE]->program.texts;
    c->objects = mem_resize(NULL, (im->n_globals + 1) * sizeof *c->objects);
    for (uint32_t i = 0; i < im->n_globals; i++) {
        const struct image_global *g = &im->globals[i];
        struct target_declaration d = {
            .name = texts[g->declared],
            .function = g->function ? texts[g->function] : NULL,
            .file = texts[g->file],
            .line = g->line,
            .external = g->external,
            .nth = g->external ? 0 : count_like(im, i),
        };
        struct compare_object o = {.global = i};
        if (g->declared && g->tls == TLS_NONE &&
            target_find_variable(&c->sides[COMPARE_MACHINE]->target, &d,
                                 &o.addr))
            c->objects[c->n_objects++] = o;
        else
            c->lacks |= g->tls == TLS_NONE && !(g->constant && !g->declared);
    }
    qsort(c->objects, c->n_objects, sizeof *c->objects, objects_by_address);
}

static const struct compare_object *object_of(const struct compare *c,
                                              uint32_t global)
{
    for (uint32_t i = 0; i < c->n_objects; i++)
        if (c->objects[i].global == global)
            return &c->objects[i];
    return NULL;
}

/* ---- leaves */

struct adding {
    struct compare *compare;
    const struct compare_object *object; /* NULL: the machine has none */
    uint32_t global;
    bool any; /* there is a leaf */
};

static void add_leaf(void *self, const struct image_leaf *leaf,
                     const char *name)
{
    struct adding *a = self;
    struct compare *c = a->compare;
    const struct image *im = image_of(c);
    const struct image_global *g = &im->globals[a->global];
    const char *object = c->sides[COMPARE_SOURCE]->program.texts[g->name];
    a->any = true;
    if (!a->object)
        return;
    size_t bytes = strlen(object) + strlen(name) + 1;
    c->leaves = mem_room(c->leaves, c->n, &c->cap, sizeof *c->leaves);
    struct compare_leaf *l = &c->leaves[c->n++];
    *l = (struct compare_leaf){
        .name = mem_resize(NULL, bytes),
        .object = a->global,
        .addr = {g->addr + leaf->offset, a->object->addr + leaf->offset},
        .bytes = leaf->bytes,
        .bit = leaf->bit,
        .n_bits = leaf->n_bits,
        .encoding = leaf->type == TYPE_NONE ? ENCODING_INTEGER
                                            : im->types[leaf->type].encoding,
    };
    snprintf(l->name, bytes, "%s%s", object, name);
}

static void note_missing(struct compare *c, uint32_t global)
{
    const struct program *p = &c->sides[COMPARE_SOURCE]->program;
    const struct image_global *g = &image_of(c)->globals[global];
    const char *name = g->declared ? p->texts[g->name] : "an unnamed object";
    size_t n = strlen(c->missing), bytes = n + strlen(name) + 3;
    char whole[4600], *found = c->missing;
    snprintf(whole, sizeof whole, "%s", name);
    for (size_t k = strlen(whole); (found = strstr(found, whole)); found++)
        if ((found == c->missing || found[-1] == ' ') &&
            (found[k] == ',' || found[k] == '\0'))
            return;
    c->missing = mem_resize(c->missing, bytes);
    snprintf(c->missing + n, bytes - n, "%s%s", n ? ", " : "", name);
}

/* The leaves at a location of a side. */
static void add_location(struct compare *c, int side,
                         const struct location *loc)
{
    const struct image *im = image_of(c);
    struct adding a = {.compare = c};
    uint64_t offset;
    if (side == COMPARE_SOURCE) {
        const struct image_global *g = image_find_global(im, loc->addr);
        if (!g || g->tls != TLS_NONE)
            return;
        a.global = (uint32_t)(g - im->globals);
        a.object = object_of(c, a.global);
        offset = loc->addr - g->addr;
    } else {
        uint32_t i = c->n_objects;
        while (i > 0 && c->objects[i - 1].addr > loc->addr)
            i--;
        if (i == 0)
            return;
        a.object = &c->objects[i - 1];
        a.global = a.object->global;
        offset = loc->addr - a.object->addr;
    }
    const struct image_global *g = &im->globals[a.global];
    if (offset >= g->size)
        return;
    image_each_leaf(im, &c->sides[COMPARE_SOURCE]->program, g->type, offset,
                    loc->size, &(struct image_visitor){add_leaf, &a});
    if (a.any && !a.object)
        note_missing(c, a.global);
}

static void add_changed(struct compare *c, int side, const struct explore *x)
{
    const struct outcomes *o = &x->outcomes;
    const struct locations *ls = &x->program->locations;
    bool *seen = mem_resize(NULL, ls->n + 1);
    memset(seen, 0, ls->n + 1);
    for (uint32_t i = 0; i < o->n_raw; i++) {
        loc_id l = o->raw[i].name;
        if (o->raw[i].kind != OUTCOME_LOCATION || seen[l])
            continue;
        seen[l] = true;
        add_location(c, side, &ls->items[l]);
    }
    free(seen);
}

static bool is_same_leaf(const struct compare_leaf *a,
                         const struct compare_leaf *b)
{
    return a->object == b->object &&
           a->addr[COMPARE_SOURCE] == b->addr[COMPARE_SOURCE] &&
           a->bytes == b->bytes && a->bit == b->bit && a->n_bits == b->n_bits;
}

/* Names may be alike, then leaves that are the same stand together still. */
static int leaves_by_name(const void *a, const void *b)
{
    const struct compare_leaf *x = a, *y = b;
    int order = strverscmp(x->name, y->name);
    if (order || is_same_leaf(x, y))
        return order;
    uint64_t at_x = x->addr[COMPARE_SOURCE] * 8 + x->bit;
    uint64_t at_y = y->addr[COMPARE_SOURCE] * 8 + y->bit;
    return at_x != at_y ? (at_x < at_y ? -1 : 1) : x->bytes - y->bytes;
}

static void drop_doubles(struct compare *c)
{
    uint32_t n = 0;
    if (c->n)
        qsort(c->leaves, c->n, sizeof *c->leaves, leaves_by_name);
    for (uint32_t i = 0; i < c->n; i++)
        if (n && is_same_leaf(&c->leaves[n - 1], &c->leaves[i]))
            free(c->leaves[i].name);
        else
            c->leaves[n++] = c->leaves[i];
    c->n = n;
}

static int leaves_by_address(const void *a, const void *b, void *self)
{
    const struct compare_leaf *const *leaves = self;
    size_t side = leaves[1] ? COMPARE_MACHINE : COMPARE_SOURCE;
    uint64_t x = leaves[0][*(const uint32_t *)a].addr[side];
    uint64_t y = leaves[0][*(const uint32_t *)b].addr[side];
    return x < y ? -1 : x > y;
}

/* The bytes that they have in the beginning. */
static void read_initial(struct compare *c, int side)
{
    const struct compare_leaf *sorted[2] = {c->leaves, side ? c->leaves : NULL};
    c->initial[side] = mem_resize(NULL, c->n_bytes + 1);
    c->order[side] = mem_resize(NULL, (c->n + 1) * sizeof *c->order[side]);
    for (uint32_t i = 0; i < c->n; i++) {
        const struct compare_leaf *l = &c->leaves[i];
        uint8_t *at = c->initial[side] + l->at;
        c->order[side][i] = i;
        memset(at, 0, l->bytes);
        if (side == COMPARE_SOURCE)
            memcpy(at, (const void *)(uintptr_t)l->addr[side], l->bytes);
        else
            machine_image_read(&c->sides[side]->target.image, l->addr[side], at,
                               l->bytes);
    }
    if (c->n)
        qsort_r(c->order[side], c->n, sizeof *c->order[side], leaves_by_address,
                (void *)(uintptr_t)sorted);
}

/* Is there an exit status other than 0, or of another thread than the first? */
static bool has_status(const struct explore *x)
{
    const struct outcomes *o = &x->outcomes;
    for (uint32_t i = 0; i < o->n_raw; i++)
        if (o->raw[i].kind == OUTCOME_STATUS &&
            (o->raw[i].value || o->raw[i].name))
            return true;
    return false;
}

/* Is there a failure at a line that is not known? */
static bool lacks_place(const struct explore *x)
{
    const struct outcomes *o = &x->outcomes;
    char place[200];
    for (uint32_t i = 0; i < o->n_raw; i++) {
        if (o->raw[i].kind != OUTCOME_FAILURE)
            continue;
        report_short_place(x->program, (place_id)o->raw[i].value, place,
                           sizeof place);
        if (!place[0])
            return true;
    }
    return false;
}

/* Has the outcomes of a run an object of that name, or for NULL one that was
 * made on a line that is not known? */
static bool has_object(const struct explore *x, const char *name)
{
    const struct outcomes *o = &x->outcomes;
    static const char unknown[] = "malloc@?@";
    for (uint32_t i = 0; i < o->n_raw; i++) {
        if (o->raw[i].kind != OUTCOME_OBJECT)
            continue;
        const char *own = x->program->texts[o->raw[i].name];
        if (name ? strcmp(own, name) == 0
                 : strncmp(own, unknown, sizeof unknown - 1) == 0)
            return true;
    }
    return false;
}

/* Does it make an object on a line where the other makes none? A compiler may
 * make one call of two. */
static bool has_other_object(const struct explore *x,
                             const struct explore *other)
{
    const struct outcomes *o = &x->outcomes;
    uint32_t last = UINT32_MAX;
    for (uint32_t i = 0; i < o->n_raw; i++) {
        if (o->raw[i].kind != OUTCOME_OBJECT || o->raw[i].name == last)
            continue;
        last = o->raw[i].name;
        if (!has_object(other, x->program->texts[last]))
            return true;
    }
    return false;
}

void compare_init(struct compare *c, struct subject *source,
                  const struct explore *source_run, struct subject *machine,
                  const struct explore *machine_run)
{
    *c = (struct compare){.sides = {source, machine}};
    uint32_t n_globals = image_of(c)->n_globals;
    c->missing = memset(mem_resize(NULL, 1), 0, 1);
    c->is_past = memset(mem_resize(NULL, n_globals + 1), 0, n_globals + 1);
    c->has_status = has_status(source_run) || has_status(machine_run);
    c->no_places = lacks_place(machine_run);
    c->n_threads = 1 + (source_run->path.n_threads > machine_run->path.n_threads
                            ? source_run->path.n_threads
                            : machine_run->path.n_threads);
    c->no_lines = has_object(source_run, NULL) || has_object(machine_run, NULL);
    c->other_lines =
        !c->no_lines && (has_other_object(source_run, machine_run) ||
                         has_other_object(machine_run, source_run));
    find_objects(c);
    compare_note_ends(c, source_run);
    add_changed(c, COMPARE_SOURCE, source_run);
    add_changed(c, COMPARE_MACHINE, machine_run);
    drop_doubles(c);
    for (uint32_t i = 0; i < c->n; i++) {
        c->leaves[i].at = c->n_bytes;
        c->n_bytes += c->leaves[i].bytes;
    }
    c->bytes = mem_resize(NULL, c->n_bytes + 1);
    read_initial(c, COMPARE_SOURCE);
    read_initial(c, COMPARE_MACHINE);
}

void compare_note_statics(struct compare *c)
{
    for (uint32_t i = 0; i < c->n; i++)
        if (!image_of(c)->globals[c->leaves[i].object].external)
            note_missing(c, c->leaves[i].object);
}

void compare_release(struct compare *c)
{
    for (uint32_t i = 0; i < c->n; i++)
        free(c->leaves[i].name);
    free(c->leaves);
    for (int side = 0; side < COMPARE_SIDES; side++) {
        free(c->order[side]);
        free(c->initial[side]);
    }
    free(c->bytes);
    free(c->objects);
    free(c->is_past);
    free(c->is_met);
    free(c->missing);
    *c = (struct compare){0};
}

/* ---- the final memory */

/* Puts what one location holds into the leaves that it covers. */
static void put(struct compare *c, int side, const struct outcome_item *item)
{
    const struct location *loc =
        &c->sides[side]->program.locations.items[item->name];
    bool big = c->sides[side]->program.big_endian;
    uint64_t from = loc->addr + 8u * item->part, n = item->size;
    uint32_t low = 0, high = c->n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (c->leaves[c->order[side][middle]].addr[side] + IMAGE_LEAF_BYTES <=
            from)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < c->n; low++) {
        const struct compare_leaf *l = &c->leaves[c->order[side][low]];
        if (l->addr[side] >= from + n)
            break;
        for (uint64_t k = 0; k < n; k++) {
            uint64_t at = from + k - l->addr[side];
            if (at < l->bytes)
                c->bytes[l->at + at] =
                    (uint8_t)(item->value >> 8 * (big ? n - 1 - k : k));
        }
    }
}

/* ---- texts */

/* A text that grows. */
struct text {
    char *at;
    size_t n, cap;
};

static void text_add(struct text *t, const char *name, const char *equal,
                     const char *value)
{
    size_t more = strlen(name) + strlen(equal) + strlen(value) + 2;
    if (t->n + more > t->cap) {
        t->cap = (t->n + more) * 2;
        t->at = mem_resize(t->at, t->cap);
    }
    int n = snprintf(t->at + t->n, t->cap - t->n, "%s%s%s%s", t->n ? " " : "",
                     name, equal, value);
    t->n += (size_t)n;
}

/* An outcome while it is written: in full, without the values that need not
 * look alike, and without static variables. */
struct writing {
    struct text text, known, outer;
    bool has_unsure, failed;
};

/* Of a static variable. */
static void add_inner(struct writing *w, const char *name, const char *value,
                      bool is_unsure)
{
    text_add(&w->text, name, "=", value);
    text_add(&w->known, name, "=", is_unsure ? "?" : value);
    w->has_unsure |= is_unsure;
}

static void add_value(struct writing *w, const char *name, const char *value,
                      bool is_unsure)
{
    text_add(&w->outer, name, "=", value);
    add_inner(w, name, value, is_unsure);
}

static void add_text(struct writing *w, const char *text, const char *rest)
{
    text_add(&w->text, text, "", rest);
    text_add(&w->known, text, "", rest);
    text_add(&w->outer, text, "", rest);
}

static int items_by_name(const void *a, const void *b, void *texts)
{
    const struct outcome_item *x = a, *y = b;
    char **text = texts;
    return strverscmp(text[x->name], text[y->name]);
}

#define VALUE_BYTES 9000

static void add_observations(struct compare *c, struct writing *w)
{
    const struct program *p = &c->sides[c->side]->program;
    struct outcome_item *items =
        mem_resize(NULL, (c->n_raw + 1) * sizeof *items);
    char *value = mem_resize(NULL, VALUE_BYTES);
    uint32_t k = 0;
    for (uint32_t i = 0; i < c->n_raw; i++)
        if (c->raw[i].kind == OUTCOME_OBSERVED)
            items[k++] = c->raw[i];
    if (k > 1) /* stable: those of one name keep their order */
        qsort_r(items, k, sizeof *items, items_by_name, p->texts);
    for (uint32_t i = 0; i < k; i++) {
        bool is_unsure;
        compare_word(c, items[i].value, value, VALUE_BYTES, &is_unsure);
        add_value(w, p->texts[items[i].name], value, is_unsure);
    }
    free(value);
    free(items);
}

static void add_leaves(struct compare *c, struct writing *w)
{
    char *value = mem_resize(NULL, VALUE_BYTES);
    memcpy(c->bytes, c->initial[c->side], c->n_bytes);
    for (uint32_t i = 0; i < c->n_raw; i++)
        if (c->raw[i].kind == OUTCOME_LOCATION)
            put(c, c->side, &c->raw[i]);
    for (uint32_t i = 0; i < c->n; i++) {
        bool is_unsure;
        compare_value(c, &c->leaves[i], value, VALUE_BYTES, &is_unsure);
        if (image_of(c)->globals[c->leaves[i].object].external)
            add_value(w, c->leaves[i].name, value, is_unsure);
        else
            add_inner(w, c->leaves[i].name, value, is_unsure);
    }
    free(value);
}

static void add_printed(const struct compare *c, struct writing *w)
{
    char *text;
    for (uint32_t at = 0; (text = printed_next(c->raw, c->n_raw, &at));) {
        add_text(w, text, "");
        free(text);
    }
}

/* How threads ended: the exit status, and who failed. */
static void add_ends(const struct compare *c, struct writing *w)
{
    const struct program *p = &c->sides[c->side]->program;
    const struct outcome_item *raw = c->raw;
    for (uint32_t i = 0; i < c->n_raw; i++) {
        char text[900], place[200];
        if (raw[i].kind == OUTCOME_STATUS && c->has_status) {
            outcome_status_name(&raw[i], place);
            snprintf(text, sizeof text, "%u", (unsigned)raw[i].value);
            add_value(w, place, text, false);
        }
        if (raw[i].kind != OUTCOME_FAILURE)
            continue;
        report_short_place(p, (place_id)raw[i].value, place, sizeof place);
        if (c->no_places)
            place[0] = '\0';
        snprintf(text, sizeof text, "%s%s%s%s", p->texts[raw[i].name],
                 place[0] ? " (" : "", place, place[0] ? ")" : "");
        add_text(w, "! ", text);
        w->failed = true;
    }
}

/* No allocated object has been met. */
static void meet_none(struct compare *c)
{
    if (c->n_raw > c->met_cap) {
        c->met_cap = c->n_raw * 2;
        c->is_met = mem_resize(c->is_met, c->met_cap);
    }
    if (c->n_raw)
        memset(c->is_met, 0, c->n_raw);
    c->n_met = 0;
}

static void write_outcome(struct compare *c, struct writing *w)
{
    add_observations(c, w);
    add_leaves(c, w);
    add_printed(c, w);
    add_ends(c, w);
}

static struct compare_outcome outcome_of(struct compare *c, int side,
                                         const struct outcomes *o,
                                         const struct outcome *outcome)
{
    struct writing w = {
        .text = {memset(mem_resize(NULL, 1), 0, 1), 0, 1},
        .known = {memset(mem_resize(NULL, 1), 0, 1), 0, 1},
        .outer = {memset(mem_resize(NULL, 1), 0, 1), 0, 1},
    };
    c->side = side;
    c->raw = o->raw + outcome->raw_first;
    c->n_raw = outcome->raw_n;
    meet_none(c);
    write_outcome(c, &w);
    if (c->n_met > 1) { /* which is the n-th is known now */
        w.text.n = w.known.n = w.outer.n = 0;
        write_outcome(c, &w);
    }
    if (!w.has_unsure) {
        free(w.known.at);
        w.known.at = NULL;
    }
    return (struct compare_outcome){w.text.at, w.known.at, w.outer.at, w.failed,
                                    outcome->executions};
}

/* ---- sets */

static int by_text(const void *a, const void *b)
{
    const struct compare_outcome *x = a, *y = b;
    return strverscmp(x->text, y->text);
}

static void release_outcome(struct compare_outcome *o)
{
    free(o->text);
    free(o->known);
    free(o->outer);
}

void compare_set_init(struct compare_set *s, struct compare *c, int side,
                      const struct explore *x)
{
    const struct outcomes *outcomes = &x->outcomes;
    s->list = mem_resize(NULL, (outcomes->n + 1) * sizeof *s->list);
    s->n = 0;
    s->cut = outcomes->not_kept > 0;
    for (uint32_t i = 0; i < outcomes->n; i++)
        s->list[i] = outcome_of(c, side, outcomes, &outcomes->list[i]);
    qsort(s->list, outcomes->n, sizeof *s->list, by_text);
    for (uint32_t i = 0; i < outcomes->n; i++)
        if (s->n > 0 && by_text(&s->list[s->n - 1], &s->list[i]) == 0) {
            s->list[s->n - 1].executions += s->list[i].executions;
            release_outcome(&s->list[i]);
        } else
            s->list[s->n++] = s->list[i];
}

void compare_set_release(struct compare_set *s)
{
    for (uint32_t i = 0; i < s->n; i++)
        release_outcome(&s->list[i]);
    free(s->list);
    *s = (struct compare_set){0};
}

uint32_t compare_set_find(const struct compare_set *s, const char *text)
{
    struct compare_outcome key = {.text = (char *)(uintptr_t)text};
    const struct compare_outcome *found =
        s->n ? bsearch(&key, s->list, s->n, sizeof *s->list, by_text) : NULL;
    return found ? (uint32_t)(found - s->list) : UINT32_MAX;
}

char *compare_text(struct compare *c, int side, const struct path *path,
                   const struct graph *g)
{
    struct outcomes one;
    outcomes_init(&one);
    outcomes_add(&one, g, path, &c->sides[side]->program);
    struct compare_outcome o = outcome_of(c, side, &one, &one.list[0]);
    outcomes_release(&one);
    free(o.known);
    free(o.outer);
    return o.text;
}

bool compare_is_undefined(const struct violation *v)
{
    return v->kind != VIOLATION_ASSERT && v->kind != VIOLATION_ABORT &&
           v->kind != VIOLATION_DEADLOCK;
}

void compare_violation(const struct explore *x, const struct violation *v,
                       char *buf, size_t cap)
{
    char title[600], place[200];
    report_violation_title(x, v, title, sizeof title);
    report_short_place(x->program, v->place, place, sizeof place);
    snprintf(buf, cap, "%s%s%s%s", title, place[0] ? " (" : "", place,
             place[0] ? ")" : "");
}

bool compare_has_violation(const struct explore *x, const char *text)
{
    char own[900];
    size_t n = strlen(text);
    for (uint32_t i = 0; i < x->n_violations; i++) {
        compare_violation(x, &x->violations[i], own, sizeof own);
        /* Machine code without debug information knows no lines. */
        if (strncmp(own, text, n) == 0 &&
            (!own[n] || strncmp(own + n, " (", 2) == 0))
            return true;
    }
    return false;
}

/* Takes away what has nothing before it, until nothing is left or a cycle. */
bool compare_is_cyclic(const struct graph *g, bool co)
{
    uint64_t *left = mem_resize(NULL, (g->words + 1) * sizeof *left);
    memcpy(left, g->live, g->words * sizeof *left);
    uint32_t n = g->n;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < g->n; i++) {
            event_id e = g->order[i], source = EVENT_NONE;
            const uint64_t *po = graph_row(g, e, ROW_PO);
            if (g->events[e].kind == LABEL_READ)
                source = g->events[e].rf;
            else if (co && g->events[e].kind == LABEL_WRITE)
                source = g->events[e].co_prev;
            bool waits = !row_has(left, e) ||
                         (source != EVENT_INIT && source != EVENT_NONE &&
                          row_has(left, source));
            for (uint32_t w = 0; w < g->words && !waits; w++)
                waits = po[w] & left[w];
            if (waits)
                continue;
            row_drop(left, e);
            n--;
            more = true;
        }
    }
    free(left);
    return n > 0;
}
