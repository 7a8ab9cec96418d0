#include "frontend/report/witness_text.h"

#include "core/mem.h"
#include "frontend/report/witness.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void wrapped_add(struct wrapped *w, const char *text)
{
    int length = (int)strlen(text);

    if (w->at == 0) {
        w->at = fprintf(w->out, "%s", w->head);
    } else if (w->at + length > REPORT_COLUMNS && w->at > w->indent) {
        fprintf(w->out, "\n%*s", w->indent, "");
        w->at = w->indent;
        for (; *text == ' '; text++)
            length--;
    }
    fputs(text, w->out);
    w->at += length;
}

void wrapped_end(struct wrapped *w)
{
    if (w->at)
        fputc('\n', w->out);
}

/* The lines of one source file. */
struct source_text {
    uint32_t file; /* text id of its path; 0: none read yet */
    char *text;
    size_t length;
};

static void read_source(struct source_text *s, const struct program *p,
                        uint32_t file)
{
    FILE *in;
    size_t cap = 0;

    if (s->file == file)
        return;
    free(s->text);
    *s = (struct source_text){.file = file};
    in = fopen(p->texts[file], "r");
    if (!in)
        return;
    if (getdelim(&s->text, &cap, '\0', in) > 0)
        s->length = strlen(s->text);
    fclose(in);
}

/* The line without the blanks around it, cut to fit buf; "" if unknown. */
static void source_line(struct source_text *s, const struct program *p,
                        place_id place, char *buf, size_t cap)
{
    const char *line;
    size_t length;

    buf[0] = '\0';
    if (place >= p->n_places || p->places[place].line == 0)
        return;
    read_source(s, p, p->places[place].file);
    line = s->text;
    if (s->length == 0)
        return;
    for (uint32_t i = 1; line && i < p->places[place].line; i++) {
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
    if (!line)
        return;
    line += strspn(line, " \t");
    length = strcspn(line, "\r\n");
    if (length < cap)
        snprintf(buf, cap, "%.*s", (int)length, line);
    else if (cap > 4)
        snprintf(buf, cap, "%.*s...", (int)cap - 4, line);
    for (char *c = buf; *c; c++)
        if (*c == '\t')
            *c = ' ';
}

/* Where the columns stand. Since a row holds one event, the columns may
 * overlap: when the threads do not fit side by side, each begins a little after
 * the one before, and when even that is too wide the row names the thread. */
struct columns {
    bool color;
    const struct witness *w;
    const struct violation *v; /* NULL: none */
    struct source_text source;
    int *starts; /* [n_threads] where each thread's column begins */
    int *widths; /* [n_threads] of its widest event */
    bool named;  /* the row names the thread; all columns are the same */
    int places;  /* where the column of places begins */
    int place_width;
};

#define NAME_WIDTH      5
#define THREAD_WIDTH    6
#define STEP_MIN        5
#define CELL_MAX        60
#define PLACE_WIDTH_MAX 20
#define TEXT_BYTES      300

/* What a thread that can do no more stands at: shown below its events. */
static bool end_text(const struct columns *c, thread_id t, char *buf,
                     size_t cap)
{
    static const char *const reasons[] = {
        [BLOCK_ASSUME] = "blocked: an assumption is false",
        [BLOCK_SPIN] = "blocked: waits in a loop",
        [BLOCK_LOCK] = "blocked: waits for a mutex",
    };
    const struct graph_thread *thread = &c->w->graph->threads[t];
    const struct label *label;

    if (thread->node == NODE_NONE)
        return false;
    label = path_label(c->w->path, thread->node);
    if (label->kind == LABEL_BLOCK && label->aux <= BLOCK_LOCK)
        snprintf(buf, cap, "%s", reasons[label->aux]);
    else if (label->kind == LABEL_ERROR)
        snprintf(buf, cap, "%s", c->w->program->texts[label->aux]);
    else
        return false;
    return true;
}

/* "prog.c:12"; of a long name only its end. */
static void place_text(const struct columns *c, place_id place, char *buf,
                       size_t cap)
{
    char full[400];
    size_t length;

    report_short_place(c->w->program, place, full, sizeof(full));
    length = strlen(full);
    if (length > PLACE_WIDTH_MAX)
        snprintf(buf, cap, "...%s", full + length - PLACE_WIDTH_MAX + 3);
    else
        snprintf(buf, cap, "%s", full);
}

static void measure(struct columns *c)
{
    const struct graph *g = c->w->graph;
    char text[TEXT_BYTES], place[PLACE_WIDTH_MAX + 1];

    for (thread_id t = 0; t < g->n_threads; t++)
        c->widths[t] = STEP_MIN - 2;
    for (uint32_t i = 0; i < c->w->n; i++) {
        event_id e = c->w->rows[i];
        int *width = &c->widths[g->events[e].thread], length;

        witness_text(c->w, e, text, sizeof(text));
        length = (int)strnlen(text, CELL_MAX);
        if (length > *width)
            *width = length;
        place_text(c, witness_place(c->w, e), place, sizeof(place));
        if ((int)strlen(place) > c->place_width)
            c->place_width = (int)strlen(place);
    }
}

/* Lets columns begin at most `step` after each other; returns the end of the
 * one that ends last. */
static int set_starts(struct columns *c, int step)
{
    int at = NAME_WIDTH, end = 0;

    for (thread_id t = 0; t < c->w->graph->n_threads; t++) {
        c->starts[t] = at;
        if (!witness_shows(c->w, t))
            continue;
        if (at + c->widths[t] > end)
            end = at + c->widths[t];
        at += c->widths[t] + 2 < step ? c->widths[t] + 2 : step;
    }
    return end;
}

static void place_columns(struct columns *c)
{
    uint32_t n = c->w->graph->n_threads;
    int end = 0, room, step = CELL_MAX + 2;

    c->starts = mem_resize(NULL, n * sizeof(*c->starts));
    c->widths = mem_resize(NULL, n * sizeof(*c->widths));
    measure(c);
    room = REPORT_COLUMNS - c->place_width - 2;
    for (; step >= STEP_MIN; step--) {
        end = set_starts(c, step);
        if (end <= room)
            break;
    }
    if (step < STEP_MIN) {
        c->named = true;
        end = set_starts(c, 0) + THREAD_WIDTH;
    }
    c->places = end + 2;
}

static void print_head(const struct columns *c, FILE *out)
{
    int at = 0;

    for (thread_id t = 0; !c->named && t < c->w->graph->n_threads; t++) {
        char name[16];

        if (!witness_shows(c->w, t))
            continue;
        witness_thread(c->w, t, name, sizeof(name));
        at += fprintf(out, "%*s%s", c->starts[t] - at, "", name);
    }
    if (!c->named)
        fputc('\n', out);
}

/* Is e to be marked? Of a violation that the thread noticed itself (then it
 * stands at a LABEL_ERROR), the event is only the last one before. */
static bool is_bad(const struct columns *c, event_id e)
{
    const struct violation *v = c->v;
    const struct graph_thread *t;

    if (!v || (v->events[0] != e && v->events[1] != e))
        return false;
    t = &c->w->graph->threads[c->w->graph->events[e].thread];
    return report_has_conflict(v) ||
           path_label(c->w->path, t->node)->kind != LABEL_ERROR;
}

/* Beside a row: where it is in the source, and the instruction or the line. */
struct beside {
    place_id place;
    const char *instruction; /* "": none */
};

/* From column `at` on, as far as there is room. */
static void print_beside(struct columns *c, struct beside beside, int at,
                         FILE *out)
{
    char where[PLACE_WIDTH_MAX + 1], line[REPORT_COLUMNS] = "";
    int room = REPORT_COLUMNS - at - 2, gap;

    place_text(c, beside.place, where, sizeof(where));
    if ((!where[0] && !beside.instruction[0]) || room < (int)strlen(where))
        return;
    gap = c->places > at + 2 ? c->places - at : 2;
    at += fprintf(out, "%*s%s", gap, "", where);
    room = REPORT_COLUMNS - at - 2;
    gap = c->places + c->place_width - at;
    if (gap > 0)
        room -= gap;
    if (beside.instruction[0] && room > 0)
        snprintf(line, sizeof(line), "%.*s", room, beside.instruction);
    else if (room >= 12)
        source_line(&c->source, c->w->program, beside.place, line,
                    (size_t)room + 1);
    if (line[0])
        fprintf(out, "%*s%s%s", gap > 0 ? gap : 0, "",
                c->place_width ? "  " : "", line);
}

/* One row: mark and name, text in the thread's column, and what is beside. */
static void print_row(struct columns *c, thread_id t, const char *name,
                      const char *text, struct beside beside, FILE *out)
{
    char thread[16];
    int at = fprintf(out, "%-*s", NAME_WIDTH, name), room;

    if (c->named) {
        witness_thread(c->w, t, thread, sizeof(thread));
        at += fprintf(out, "%-*s", THREAD_WIDTH, thread);
    } else {
        at += fprintf(out, "%*s", c->starts[t] - NAME_WIDTH, "");
    }
    room = REPORT_COLUMNS - at;
    at += fprintf(out, "%.*s", room, text);
    print_beside(c, beside, at, out);
    fputc('\n', out);
}

static void print_rows(struct columns *c, FILE *out)
{
    const struct graph *g = c->w->graph;
    char name[24], text[TEXT_BYTES];

    for (uint32_t i = 0; i < c->w->n; i++) {
        event_id e = c->w->rows[i];
        bool bad = is_bad(c, e);

        snprintf(name, sizeof(name), "%c ", bad ? '>' : ' ');
        witness_name(c->w, e, name + 2, sizeof(name) - 2);
        witness_text(c->w, e, text, sizeof(text));
        if (bad && c->color)
            fputs("\033[1;31m", out);
        print_row(c, g->events[e].thread, name, text,
                  (struct beside){witness_place(c->w, e),
                                  witness_instruction(c->w, e)},
                  out);
        if (bad && c->color)
            fputs("\033[0m", out);
    }
    for (thread_id t = 0; t < g->n_threads; t++)
        if (end_text(c, t, text, sizeof(text)))
            print_row(
                c, t, "!", text,
                (struct beside){
                    path_label(c->w->path, g->threads[t].node)->place, ""},
                out);
}

static void print_rf(const struct witness *w, FILE *out)
{
    struct wrapped line = {.out = out, .head = "  rf: ", .indent = 7};

    for (uint32_t i = 0; i < w->n; i++) {
        const struct event *e = &w->graph->events[w->rows[i]];
        char from[16], to[16], text[40];

        if (e->kind != LABEL_READ || e->rf == EVENT_NONE)
            continue;
        witness_name(w, e->rf, from, sizeof(from));
        witness_name(w, w->rows[i], to, sizeof(to));
        snprintf(text, sizeof(text), "%s%s -> %s", line.at ? "   " : " ", from,
                 to);
        wrapped_add(&line, text);
    }
    wrapped_end(&line);
}

/* One location's writes in coherence order. */
static void print_co_of(const struct witness *w, loc_id loc,
                        struct wrapped *line)
{
    char name[120], text[160];

    program_print_location(w->program, loc, name, sizeof(name));
    snprintf(text, sizeof(text), "%s%s: init", line->at ? "   " : " ", name);
    wrapped_add(line, text);
    for (event_id e = w->graph->locs[loc].co_first; e != EVENT_NONE;
         e = w->graph->events[e].co_next) {
        witness_name(w, e, name, sizeof(name));
        snprintf(text, sizeof(text), " -> %s", name);
        wrapped_add(line, text);
    }
}

static void print_co(const struct witness *w, FILE *out)
{
    struct wrapped line = {.out = out, .head = "  co: ", .indent = 7};

    for (loc_id l = 0; l < w->graph->n_locs; l++)
        if (w->graph->locs[l].co_first != EVENT_NONE)
            print_co_of(w, l, &line);
    wrapped_end(&line);
}

/* The cycle of an axiom, or the pair that a flag found. */
static void print_broken(const struct witness *w, const struct broken *why,
                         FILE *out)
{
    bool is_cycle = strcmp(why->kind, "flag") != 0;
    struct wrapped line = {.out = out, .indent = 7};
    char head[80], name[16], text[64];

    snprintf(head, sizeof(head), "  %s %s: ", why->kind, why->axiom);
    line.head = head;
    for (uint32_t i = 0; i < why->n && i < 64; i++) {
        witness_name(w, why->cycle[i], name, sizeof(name));
        if (is_cycle || (i + 1 < why->n && why->edge[i][0]))
            snprintf(text, sizeof(text), "%s -%s-> ", name, why->edge[i]);
        else
            snprintf(text, sizeof(text), "%s%s", name,
                     i + 1 < why->n ? ", " : "");
        wrapped_add(&line, text);
    }
    if (is_cycle) {
        witness_name(w, why->cycle[0], name, sizeof(name));
        wrapped_add(&line, name);
    }
    wrapped_end(&line);
}

static void print_conflict(const struct witness *w, const struct violation *v,
                           FILE *out)
{
    for (int i = 1; i >= 0 && report_has_conflict(v); i--) {
        event_id e = v->events[i];
        char name[16], text[TEXT_BYTES], thread[16], place[400];

        witness_name(w, e, name, sizeof(name));
        witness_text(w, e, text, sizeof(text));
        witness_thread(w, w->graph->events[e].thread, thread, sizeof(thread));
        program_print_place(w->program, witness_place(w, e), place,
                            sizeof(place));
        fprintf(out, "  %s %s: %s by %s at %s\n", i ? "conflict:" : "      and",
                name, text, thread, place);
    }
}

static void print_interleaved(const struct witness *w, bool is_flag, FILE *out)
{
    event_id cycle[16];
    const char *edges[16];
    uint32_t n = witness_find_cycle(w, cycle, edges, 16);
    struct wrapped line = {.out = out, .indent = 7};

    line.head = "  No interleaving does this, it needs weak memory: ";
    for (uint32_t i = 0; i < n; i++) {
        char name[16], text[40];

        witness_name(w, cycle[i], name, sizeof(name));
        snprintf(text, sizeof(text), "%s -%s-> ", name, edges[i]);
        wrapped_add(&line, text);
    }
    if (n) {
        char name[16];

        witness_name(w, cycle[0], name, sizeof(name));
        wrapped_add(&line, name);
        wrapped_end(&line);
    } else if (!w->interleaved) {
        fprintf(out, "  No interleaving does this, it needs weak memory.\n");
    } else if (w->graph->n_threads > 1) {
        /* A race is one by the language, not by what happens. */
        fprintf(out, "  The rows are an interleaving%s.\n",
                is_flag ? ""
                        : ": this happens under sequential consistency too");
    }
}

void witness_text_interleaved(const struct witness *w, FILE *out)
{
    print_interleaved(w, false, out);
}

void witness_text_rows(const struct witness *w, const struct violation *v,
                       bool color, FILE *out)
{
    struct columns c = {.color = color, .w = w, .v = v};

    place_columns(&c);
    fputc('\n', out);
    print_head(&c, out);
    print_rows(&c, out);
    fputc('\n', out);
    print_rf(w, out);
    print_co(w, out);
    free(c.source.text);
    free(c.starts);
    free(c.widths);
}

void witness_text_print(const struct report *r, const struct violation *v,
                        FILE *out)
{
    struct witness w;

    witness_init(&w, &v->graph, &r->x->path, r->x->program);
    witness_text_rows(&w, v, r->color, out);
    print_conflict(&w, v, out);
    if (v->why.n && !(v->kind == VIOLATION_FLAG && report_has_conflict(v)))
        print_broken(&w, &v->why, out);
    print_interleaved(&w, v->kind == VIOLATION_FLAG, out);
    witness_release(&w);
}
