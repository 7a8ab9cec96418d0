#include "frontend/bundle/check_litmus.h"

#include "core/mem.h"
#include "frontend/check/check_view.h"
#include "hw/sketch.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define NAME_BYTES 48
/* Values above are addresses, or might as well be: they get a number. */
#define PLAIN_MAX 1000
/* So many store-conditionals of a thread may fail on their own account (see
 * litmus_asm.c); if there are more, they try again. */
#define FAILING_MAX 4

struct test {
    const struct sketch_isa *isa;
    const struct graph *g;
    const struct program *program;
    char (*names)[NAME_BYTES]; /* [n_locs]; "": not used */
    uint64_t *strange;         /* values that got a number */
    uint32_t n_strange, strange_cap;
    struct sketch *threads; /* [n] those with code */
    uint32_t n;
};

/* ---- what takes part
 *
 * What the first thread does before it creates any other makes the initial
 * values; what it does after all others have ended can only see final ones.
 * Neither is part of the test. */

static bool is_before(const struct graph *g, event_id e)
{
    if (g->events[e].thread != 0)
        return false;
    for (; e != EVENT_NONE; e = g->events[e].po_prev)
        if (g->events[e].kind == LABEL_CREATE)
            return false;
    return true;
}

static bool is_after(const struct graph *g, event_id e)
{
    bool others = false;
    for (thread_id t = 0; t < g->n_threads; t++) {
        event_id last = g->threads[t].last;
        if (t == g->events[e].thread || last == EVENT_NONE)
            continue;
        if (!row_has(graph_row(g, e, ROW_PO), last))
            return false;
        others = true;
    }
    return others;
}

static bool takes_part(const struct graph *g, event_id e)
{
    uint8_t kind = g->events[e].kind;
    return (kind == LABEL_READ || kind == LABEL_WRITE || kind == LABEL_FENCE) &&
           !is_before(g, e) && !is_after(g, e);
}

/* ---- names and values */

static bool looks_like_register(const char *name)
{
    static const char *const others[] = {
        "eax", "ebx", "ecx", "edx", "esi", "edi", "rax", "rbx", "rcx",
        "rdx", "rsi", "rdi", "rbp", "rsp", "sp",  "xzr", "wzr", NULL};
    char letter = (char)tolower((unsigned char)name[0]);
    if (strchr("rxw", letter) && isdigit((unsigned char)name[1]) &&
        name[1 + strspn(name + 1, "0123456789d")] == '\0')
        return true;
    for (int i = 0; others[i]; i++)
        if (strcasecmp(name, others[i]) == 0)
            return true;
    return false;
}

/* A word for the location: "q.head" is q_head, and r1 must not be taken for a
 * register. */
static void name_location(struct test *t, loc_id loc)
{
    char full[200];
    size_t n = 0;
    program_print_location(t->program, loc, full, sizeof full);
    bool prefix = !isalpha((unsigned char)full[0]) || looks_like_register(full);
    char *name = t->names[loc];
    n = (size_t)snprintf(name, NAME_BYTES, "%s", prefix ? "var_" : "");
    for (const char *c = full; *c && n < NAME_BYTES - 12; c++)
        if (isalnum((unsigned char)*c))
            name[n++] = *c;
        else if (n && name[n - 1] != '_')
            name[n++] = '_';
    n -= n && name[n - 1] == '_';
    name[n] = '\0';
    for (loc_id l = 0; l < t->g->n_locs; l++)
        if (l != loc && strcmp(t->names[l], name) == 0) {
            snprintf(name + n, NAME_BYTES - n, "_%" PRIu32, loc);
            break;
        }
}

static uint64_t small_value(struct test *t, uint64_t value, unsigned size)
{
    if (size < 8)
        value &= ((uint64_t)1 << size * 8) - 1;
    if (value <= PLAIN_MAX)
        return value;
    for (uint32_t i = 0; i < t->n_strange; i++)
        if (t->strange[i] == value)
            return PLAIN_MAX + 1 + i;
    t->strange =
        mem_room(t->strange, t->n_strange, &t->strange_cap, sizeof *t->strange);
    t->strange[t->n_strange++] = value;
    return PLAIN_MAX + t->n_strange;
}

/* What the location holds when the other threads start. */
static uint64_t initial_value(struct test *t, loc_id loc)
{
    const struct location *l = &t->program->locations.items[loc];
    uint64_t value = l->init;
    for (event_id e = t->g->locs[loc].co_first;
         e != EVENT_NONE && is_before(t->g, e); e = t->g->events[e].co_next)
        value = t->g->events[e].value;
    return small_value(t, value, l->size);
}

/* The last write that takes part, EVENT_NONE if there is none. */
static event_id final_write(const struct test *t, loc_id loc)
{
    event_id last = EVENT_NONE;
    for (event_id e = t->g->locs[loc].co_first; e != EVENT_NONE;
         e = t->g->events[e].co_next)
        if (takes_part(t->g, e))
            last = e;
    return last;
}

/* ---- code */

static bool make_access(struct test *t, event_id e, struct sketch_access *a,
                        struct err *err)
{
    const struct event *ev = &t->g->events[e];
    *a = (struct sketch_access){EVENT_NONE, EVENT_NONE, EVENT_NONE,
                                .loc = ev->loc, .size = ev->size};
    if (ev->kind == LABEL_FENCE) {
        a->fence = e;
        return true;
    }
    if (ev->size != 1 && ev->size != 2 && ev->size != 4 && ev->size != 8)
        return err_set(err, ERR_INPUT, "an access of %u bytes", ev->size);
    if (!t->names[ev->loc][0])
        name_location(t, ev->loc);
    a->location = t->names[ev->loc];
    if (ev->kind == LABEL_WRITE) {
        a->write = e;
        a->new = small_value(t, ev->value, ev->size);
        return true;
    }
    a->read = e;
    a->old = small_value(t, ev->value, ev->size);
    if (ev->rmw != EVENT_NONE && !event_is_half(&t->g->events[ev->rmw]))
        return err_set(err, ERR_INPUT,
                       "a store-conditional apart from its load");
    if (ev->rmw != EVENT_NONE) {
        a->write = ev->rmw;
        a->new = small_value(t, t->g->events[ev->rmw].value, ev->size);
    }
    return true;
}

static void sketch_init(struct sketch *s, const struct graph *g,
                        uint32_t number)
{
    *s = (struct sketch){.graph = g, .number = number};
    s->reg_of = memset(mem_resize(NULL, g->cap + 1), 0, g->cap + 1);
    s->branched = memset(mem_resize(NULL, g->cap + 1), 0, g->cap + 1);
    s->base_of = memset(mem_resize(NULL, g->n_locs + 1), 0, g->n_locs + 1);
}

static void sketch_release(struct sketch *s)
{
    free(s->lines);
    free(s->reg_of);
    free(s->branched);
    free(s->base_of);
}

static uint32_t count_conditionals(const struct graph *g, thread_id t)
{
    uint32_t n = 0;
    for (event_id e = g->threads[t].first; e != EVENT_NONE;
         e = g->events[e].po_next)
        n += g->events[e].kind == LABEL_WRITE && g->events[e].rmw != EVENT_NONE;
    return n;
}

static bool write_thread(struct test *t, thread_id thread, struct err *err)
{
    const struct graph *g = t->g;
    struct sketch *s = &t->threads[t->n];
    bool any = false;
    sketch_init(s, g, t->n);
    s->retries = count_conditionals(g, thread) > FAILING_MAX;
    t->n++;
    for (event_id e = g->threads[thread].first; e != EVENT_NONE;
         e = g->events[e].po_next) {
        struct sketch_access a;
        bool is_half =
            g->events[e].kind == LABEL_WRITE && g->events[e].rmw != EVENT_NONE;
        if (!takes_part(g, e) || is_half)
            continue;
        if (!make_access(t, e, &a, err) || !t->isa->write(s, &a, err))
            return false;
        any = true;
    }
    if (s->can_fail)
        sketch_line(s, "F%" PRIu32 ":", s->number);
    if (s->n_regs > t->isa->n_regs)
        return err_set(err, ERR_INPUT,
                       "a thread needs %" PRIu32 " registers, there are "
                       "%" PRIu32,
                       s->n_regs, t->isa->n_regs);
    if (!any) {
        sketch_release(s);
        t->n--;
    }
    return true;
}

/* ---- the file */

static void print_init(struct test *t, FILE *out)
{
    fputs("{\n", out);
    for (loc_id l = 0; l < t->g->n_locs; l++) {
        unsigned size = t->program->locations.items[l].size;
        if (!t->names[l][0])
            continue;
        fprintf(out, " %s%s=%" PRIu64 ";\n",
                size == 8   ? "int64_t "
                : size == 2 ? "uint16_t "
                : size == 1 ? "uint8_t "
                            : "",
                t->names[l], initial_value(t, l));
    }
    for (uint32_t i = 0; i < t->n && t->isa->has_bases; i++) {
        for (loc_id l = 0; l < t->g->n_locs; l++)
            if (t->threads[i].base_of[l])
                fprintf(out, " %" PRIu32 ":%s=%s;", i,
                        t->isa->reg_name(t->threads[i].base_of[l]),
                        t->names[l]);
        fputc('\n', out);
    }
    fputs("}\n", out);
}

static void print_code(const struct test *t, FILE *out)
{
    uint32_t rows = 0;
    for (uint32_t i = 0; i < t->n; i++)
        if (t->threads[i].n_lines > rows)
            rows = t->threads[i].n_lines;
    for (uint32_t row = 0; row <= rows; row++)
        for (uint32_t i = 0; i < t->n; i++) {
            const struct sketch *s = &t->threads[i];
            char head[16];
            size_t width = 2;
            for (uint32_t k = 0; k < s->n_lines; k++)
                if (strlen(s->lines[k]) > width)
                    width = strlen(s->lines[k]);
            snprintf(head, sizeof head, "P%" PRIu32, i);
            fprintf(out, " %-*s %s", (int)width,
                    row == 0            ? head
                    : row <= s->n_lines ? s->lines[row - 1]
                                        : "",
                    i + 1 < t->n ? "|" : ";\n");
        }
}

static void print_condition(struct test *t, FILE *out)
{
    const char *and = "";
    fputs("exists (", out);
    for (uint32_t i = 0; i < t->n; i++)
        for (event_id e = 0; e < t->g->cap; e++) {
            if (!t->threads[i].reg_of[e])
                continue;
            fprintf(
                out, "%s%" PRIu32 ":%s=%" PRIu64, and, i,
                t->isa->reg_name(t->threads[i].reg_of[e]),
                small_value(t, t->g->events[e].value, t->g->events[e].size));
            and = " /\\ ";
        }
    for (loc_id l = 0; l < t->g->n_locs; l++) {
        event_id last = final_write(t, l);
        if (last == EVENT_NONE || !t->names[l][0])
            continue;
        fprintf(
            out, "%s%s=%" PRIu64, and, t->names[l],
            small_value(t, t->g->events[last].value, t->g->events[last].size));
        and = " /\\ ";
    }
    fprintf(out, "%s)\n", and[0] ? "" : "true");
}

/* The file's name without folder and ending, letters and digits only. */
static void print_name(const char *path, FILE *out)
{
    const char *slash = strrchr(path, '/');
    fputs("bad-", out);
    for (path = slash ? slash + 1 : path; *path && *path != '.'; path++)
        fputc(isalnum((unsigned char)*path) ? *path : '-', out);
    fputc('\n', out);
}

/* A comment may not end early, nor begin another. */
static void print_comment(const char *text, FILE *out)
{
    for (; *text; text++)
        fputc(*text == '*' || *text == '"' || (unsigned char)*text < ' ' ||
                      (unsigned char)*text > '~'
                  ? ' '
                  : *text,
              out);
}

static void print_all(struct test *t, const struct check *c,
                      const struct check_extra *e, FILE *out)
{
    fprintf(out, "%s ", t->isa->name);
    print_name(c->path, out);
    fputs("(* ", out);
    print_comment(c->path, out);
    fprintf(out, " on %s: ", c->isa->name);
    print_comment(e->text, out);
    for (uint32_t i = 0; i < t->n_strange; i++)
        fprintf(out, "\n   %" PRIu32 " stands for 0x%" PRIx64,
                PLAIN_MAX + 1 + i, t->strange[i]);
    fputs(" *)\n", out);
    print_init(t, out);
    print_code(t, out);
    print_condition(t, out);
}

bool check_litmus_print(const struct check *c, const struct check_extra *e,
                        FILE *out, struct err *err)
{
    const struct graph *g = check_extra_graph(c, e);
    if (!c->isa->sketch)
        return err_set(err, ERR_INPUT, "no litmus tests can be written for %s",
                       c->isa->name);
    struct test t = {
        .isa = c->isa->sketch, .g = g, .program = c->target->explore.program};
    t.names = mem_resize(NULL, (g->n_locs + 1) * sizeof *t.names);
    memset(t.names, 0, (g->n_locs + 1) * sizeof *t.names);
    t.threads = mem_resize(NULL, (g->n_threads + 1) * sizeof *t.threads);
    bool done = true;
    for (thread_id i = 0; i < g->n_threads && done; i++)
        done = write_thread(&t, i, err);
    if (done && t.n == 0)
        done = err_set(err, ERR_INPUT, "no thread accesses memory");
    /* So that all values have their numbers before any is printed. */
    for (loc_id l = 0; done && l < g->n_locs; l++)
        initial_value(&t, l);
    if (done)
        print_all(&t, c, e, out);
    for (uint32_t i = 0; i < t.n; i++)
        sketch_release(&t.threads[i]);
    free(t.threads);
    free(t.names);
    free(t.strange);
    return done;
}
