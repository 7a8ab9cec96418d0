#include "frontend/compare.h"

#include "core/mem.h"
#include "frontend/report.h"
#include "frontend/witness.h"

#include <stdlib.h>
#include <string.h>

/* A text that grows. */
struct text {
    char *at;
    size_t n, cap;
};

static void text_add(struct text *t, const char *name, const char *value)
{
    size_t more = strlen(name) + strlen(value) + 3;
    if (t->n + more > t->cap) {
        t->cap = (t->n + more) * 2;
        t->at = mem_resize(t->at, t->cap);
    }
    int n = snprintf(t->at + t->n, t->cap - t->n, "%s%s=%s", t->n ? " " : "",
                     name, value);
    t->n += (size_t)n;
}

static int by_name(const void *a, const void *b)
{
    const struct compare_global *x = a, *y = b;
    return strverscmp(x->name, y->name);
}

static char *copy(const char *text)
{
    size_t bytes = strlen(text) + 1;
    return memcpy(mem_resize(NULL, bytes), text, bytes);
}

/* Its index, or UINT32_MAX; among the first n, which are sorted. */
static uint32_t find_global(const struct compare_globals *g, uint32_t n,
                            const char *name)
{
    struct compare_global key = {.name = (char *)(uintptr_t)name};
    const struct compare_global *found =
        n ? bsearch(&key, g->list, n, sizeof key, by_name) : NULL;
    return found ? (uint32_t)(found - g->list) : UINT32_MAX;
}

/* Those of x with a final value in the machine code; `least` is what must have
 * become of a variable whose stores may have been left out. */
static void add_globals(struct compare_globals *g, const struct explore *x,
                        const struct target *target, enum target_fate least)
{
    const struct outcomes *o = &x->outcomes;
    uint32_t n_sorted = g->n;
    g->list = mem_resize(g->list, (g->n + o->n_initial + 1) * sizeof *g->list);
    for (uint32_t i = 0; i < o->n_initial; i++) {
        const struct outcome_item *item = &o->initial[i];
        const char *name = x->program->texts[item->name];
        char value[200];
        /* The variable is "q" of "q.head" or "q[3].next". */
        if (find_global(g, n_sorted, name) != UINT32_MAX ||
            target_fate(target, name, strcspn(name, ".[+")) < least)
            continue;
        value_text(x->program, item->value, item->size, value, sizeof value);
        g->list[g->n++] = (struct compare_global){copy(name), copy(value)};
    }
    qsort(g->list, g->n, sizeof *g->list, by_name);
}

void compare_globals_init(struct compare_globals *g,
                          const struct explore *source,
                          const struct explore *machine,
                          const struct target *target)
{
    *g = (struct compare_globals){0};
    add_globals(g, machine, target, TARGET_REMOVED);
    add_globals(g, source, target, TARGET_EXTERNAL);
}

void compare_globals_release(struct compare_globals *g)
{
    for (uint32_t i = 0; i < g->n; i++) {
        free(g->list[i].name);
        free(g->list[i].initial);
    }
    free(g->list);
    *g = (struct compare_globals){0};
}

static char *text_of(const struct outcomes *o, const struct outcome *outcome,
                     const struct program *program,
                     const struct compare_globals *globals)
{
    struct text text = {copy(""), 0, 1};
    const struct outcome_item *items = o->items + outcome->first;
    uint32_t i = 0;
    char value[200];
    for (; i < outcome->n && !items[i].is_location; i++) {
        value_text(program, items[i].value, items[i].size, value, sizeof value);
        text_add(&text, program->texts[items[i].name], value);
    }
    /* Both lists are sorted by name. */
    for (uint32_t k = 0; k < globals->n; k++) {
        const struct compare_global *g = &globals->list[k];
        while (i < outcome->n &&
               strverscmp(program->texts[items[i].name], g->name) < 0)
            i++;
        bool here = i < outcome->n &&
                    strcmp(program->texts[items[i].name], g->name) == 0;
        if (here)
            value_text(program, items[i].value, items[i].size, value,
                       sizeof value);
        text_add(&text, g->name, here ? value : g->initial);
    }
    return text.at;
}

static int by_text(const void *a, const void *b)
{
    const struct compare_outcome *x = a, *y = b;
    return strverscmp(x->text, y->text);
}

void compare_set_init(struct compare_set *s, const struct explore *x,
                      const struct compare_globals *globals)
{
    const struct outcomes *outcomes = &x->outcomes;
    s->list = mem_resize(NULL, (outcomes->n + 1) * sizeof *s->list);
    s->n = 0;
    s->cut = outcomes->not_kept > 0;
    for (uint32_t i = 0; i < outcomes->n; i++)
        s->list[i] = (struct compare_outcome){
            text_of(outcomes, &outcomes->list[i], x->program, globals),
            outcomes->list[i].executions};
    qsort(s->list, outcomes->n, sizeof *s->list, by_text);
    for (uint32_t i = 0; i < outcomes->n; i++)
        if (s->n > 0 && by_text(&s->list[s->n - 1], &s->list[i]) == 0) {
            s->list[s->n - 1].executions += s->list[i].executions;
            free(s->list[i].text);
        } else
            s->list[s->n++] = s->list[i];
}

void compare_set_release(struct compare_set *s)
{
    for (uint32_t i = 0; i < s->n; i++)
        free(s->list[i].text);
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

char *compare_text(struct program *program, const struct path *path,
                   const struct graph *g, const struct compare_globals *globals)
{
    struct outcomes one;
    outcomes_init(&one);
    outcomes_add(&one, g, path, program);
    outcomes_finish(&one, program);
    char *text = text_of(&one, &one.list[0], program, globals);
    outcomes_release(&one);
    return text;
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
    for (uint32_t i = 0; i < x->n_violations; i++) {
        compare_violation(x, &x->violations[i], own, sizeof own);
        if (strcmp(own, text) == 0)
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
