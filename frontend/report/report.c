#include "frontend/report/report.h"

#include "core/halt.h"
#include "core/mem.h"
#include "frontend/report/witness.h"

#include <inttypes.h>
#include <string.h>
#include <sys/resource.h>

const char *report_verdict(const struct explore *x)
{
    switch (x->verdict) {
    case VERDICT_SOUND:
        return "SOUND";
    case VERDICT_VIOLATION:
        return "VIOLATION";
    case VERDICT_GAP:
    case VERDICT_NONE:
        break;
    }
    return "INCONCLUSIVE";
}

const char *report_gap(enum gap gap)
{
    switch (gap) {
    case GAP_NONE:
        break;
    case GAP_BOUNDED:
        return "BOUNDED";
    case GAP_TIMEOUT:
        return "TIMEOUT";
    case GAP_UNMODELLED:
        return "UNMODELLED";
    case GAP_INTERRUPTED:
        return "INTERRUPTED";
    case GAP_NOTHING:
        return "NOTHING COMPARED";
    }
    return "";
}

void report_violation_kind(const struct violation *v, char *buf, size_t cap)
{
    bool is_flag = v->kind == VIOLATION_FLAG && v->why.axiom;

    snprintf(buf, cap, "%s", is_flag ? v->why.axiom : violation_name(v->kind));
    for (char *c = buf; is_flag && *c; c++)
        if (*c == '-')
            *c = ' ';
}

bool report_has_conflict(const struct violation *v)
{
    return v->events[0] < v->graph.cap && v->events[1] < v->graph.cap;
}

/* Of a flag the engine knows only the name: says which accesses it is about. */
static void flag_text(const struct explore *x, const struct violation *v,
                      char *buf, size_t cap)
{
    char loc[120], side[2][220];

    for (int i = 0; i < 2; i++) {
        const struct event *e = &v->graph.events[v->events[1 - i]];
        place_id place = path_label(&x->path, e->node)->place;
        char text[200];

        report_short_place(x->program, place, text, sizeof(text));
        snprintf(side[i], sizeof(side[i]), "%s%s%s", witness_kind(e),
                 text[0] ? " at " : "", text);
        program_print_location(x->program, e->loc, loc, sizeof(loc));
    }
    snprintf(buf, cap, "on %s: %s, %s", loc, side[0], side[1]);
}

void report_violation_text(const struct explore *x, const struct violation *v,
                           char *buf, size_t cap)
{
    if (v->kind != VIOLATION_FLAG)
        snprintf(buf, cap, "%s", x->program->texts[v->text]);
    else if (report_has_conflict(v))
        flag_text(x, v, buf, cap);
    else
        buf[0] = '\0';
}

void report_violation_title(const struct explore *x, const struct violation *v,
                            char *buf, size_t cap)
{
    char kind[64], text[500];
    size_t word;

    report_violation_kind(v, kind, sizeof(kind));
    report_violation_text(x, v, text, sizeof(text));
    /* "assertion 'x == 1' failed" says its kind itself. */
    word = strcspn(kind, " ");
    if (!text[0])
        snprintf(buf, cap, "%s", kind);
    else if (strncmp(text, kind, word) == 0 &&
             (text[word] == '\0' || text[word] == ' '))
        snprintf(buf, cap, "%s", text);
    else
        snprintf(buf, cap, "%s%s %s", kind,
                 v->kind == VIOLATION_FLAG ? "" : ":", text);
}

static void violation_reason(const struct explore *x, char *buf, size_t cap)
{
    const struct violation *v = &x->violations[0];
    char title[600], place[200] = "", more[64] = "";

    report_violation_title(x, v, title, sizeof(title));
    if (v->kind != VIOLATION_FLAG)
        report_short_place(x->program, v->place, place, sizeof(place));
    if (x->n_violations > 1)
        snprintf(more, sizeof(more), "; %" PRIu32 " more", x->n_violations - 1);
    snprintf(buf, cap, "%s%s%s%s%s", title, place[0] ? " (" : "", place,
             place[0] ? ")" : "", more);
}

enum gap report_halt_gap(void)
{
    return halt_reason() == HALT_TIMEOUT ? GAP_TIMEOUT : GAP_INTERRUPTED;
}

void report_reason(const struct explore *x, char *buf, size_t cap)
{
    uint64_t n = x->executions;

    if (x->verdict == VERDICT_VIOLATION && x->n_violations > 0)
        violation_reason(x, buf, cap);
    else if (x->verdict == VERDICT_SOUND && n == 0)
        snprintf(buf, cap,
                 "no violation, but no execution runs to its end: all %" PRIu64
                 " are blocked",
                 x->blocked);
    else if (x->verdict == VERDICT_SOUND)
        snprintf(buf, cap, "no violation in %" PRIu64 " execution%s", n,
                 n == 1 ? "" : "s");
    else
        snprintf(buf, cap, "%s",
                 x->gap_text[0] ? x->gap_text
                                : "not all executions were visited");
}

void report_short_place(const struct program *p, place_id place, char *buf,
                        size_t cap)
{
    char full[400];
    const char *slash;

    buf[0] = '\0';
    if (place >= p->n_places || p->places[place].line == 0)
        return;
    program_print_place(p, place, full, sizeof(full));
    slash = strrchr(full, '/');
    snprintf(buf, cap, "%s", slash ? slash + 1 : full);
}

/* How many bytes the character there has; 0: it is none of UTF-8, which has no
 * longer forms of what is shorter, no surrogates, nothing beyond U+10FFFF. */
static int utf8_length(const unsigned char *c)
{
    static const struct {
        unsigned char first, last, low,
            high; /* of the first, the second byte */
        int length;
    } forms[] = {
        {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3},
        {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4},
        {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };

    if (*c < 0x80)
        return 1;
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        int n = 2;

        if (*c < forms[i].first || *c > forms[i].last)
            continue;
        if (c[1] < forms[i].low || c[1] > forms[i].high)
            return 0;
        while (n < forms[i].length && (c[n] & 0xc0) == 0x80)
            n++;
        return n == forms[i].length ? n : 0;
    }
    return 0;
}

char *report_utf8_new(const char *text)
{
    char *copy = mem_resize(NULL, 4 * strlen(text) + 1), *to = copy;

    while (*text) {
        int n = utf8_length((const unsigned char *)text);

        if (n == 0) {
            to += sprintf(to, "\\x%02x", (unsigned)(unsigned char)*text++);
            continue;
        }
        memcpy(to, text, (size_t)n);
        to += n;
        text += n;
    }
    *to = '\0';
    return copy;
}

uint64_t report_peak_bytes(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return (uint64_t)usage.ru_maxrss * 1024;
}
