#include "frontend/litmus/litmus_retry.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* ---- lines of code, as text */

static bool is_name_char(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

static bool is_label(const char *line)
{
    return *line && line[strlen(line) - 1] == ':';
}

static bool is_jump(const struct litmus_dialect *d, const char *line)
{
    return !is_label(line) && litmus_dialect_jumps(d, line);
}

static bool jumps_to(const char *line, const char *label)
{
    size_t n = strlen(label) - 1, length = strlen(line);
    return length > n && strncmp(line + length - n, label, n) == 0 &&
           !is_name_char(line[length - n - 1]);
}

/* Goes where no label says: a call, a return, so many bytes on. */
static bool is_open_jump(const struct litmus_dialect *d, const char *line)
{
    size_t n = strcspn(line, " ");
    for (const char *const *w = d->open_jumps; w && *w; w++)
        if (strlen(*w) == n && strncasecmp(line, *w, n) == 0)
            return true;
    return is_jump(d, line) && (strstr(line, ".+") || strstr(line, ".-"));
}

static bool has_open_jump(const struct litmus_dialect *d,
                          const struct litmus_thread *t)
{
    for (uint32_t i = 0; i < t->n_lines; i++)
        if (is_open_jump(d, t->lines[i].text))
            return true;
    return false;
}

static bool is_in_loop(const struct litmus_thread *t, uint32_t at)
{
    for (uint32_t i = 0; i < at; i++)
        for (uint32_t k = at + 1; k < t->n_lines && is_label(t->lines[i].text);
             k++)
            if (jumps_to(t->lines[k].text, t->lines[i].text))
                return true;
    return false;
}

/* ---- registers, as bits */

/* All flags, or fields of the condition register, behind the registers. */
#define FLAGS (UINT64_C(1) << LITMUS_REGISTERS_MAX)

/* Those that stand in a line, the first of them apart. */
static uint64_t registers_in(const struct litmus_dialect *d, const char *line,
                             uint64_t *first)
{
    uint64_t all = 0;
    *first = 0;
    const char *c = line;
    while (is_name_char(*c)) /* the mnemonic */
        c++;
    while (*c) {
        char word[8] = "";
        size_t n = 0;
        unsigned bytes;
        while (is_name_char(c[n]))
            n++;
        if (n > 0 && n < sizeof word)
            memcpy(word, c, n);
        int r = n > 0 ? d->find(word, &bytes) : -1;
        if (r >= 0 && !all)
            *first = UINT64_C(1) << r;
        if (r >= 0)
            all |= UINT64_C(1) << r;
        c += n + (n == 0);
    }
    return all;
}

static int lower(char c)
{
    return tolower((unsigned char)c);
}

/* Does a vector register stand in it? These are not among the bits. */
static bool has_vector(const struct litmus_dialect *d, const char *line)
{
    for (const char *c = line + strcspn(line, " \t"); *c; c++) {
        const char *number = c + (*c == 'v' && c[1] == 's' ? 2 : 1);
        if (strchr(d->vectors, lower(*c)) && !is_name_char(c[-1]) &&
            isdigit((unsigned char)*number))
            return true;
    }
    return false;
}

/* Is the line's mnemonic one of these words? */
static bool is_one_of(const char *line, const char *words)
{
    size_t n = strcspn(line, " \t");
    for (; *words; words += strcspn(words, " ")) {
        words += strspn(words, " ");
        if (n > 0 && strcspn(words, " ") == n &&
            strncasecmp(line, words, n) == 0)
            return true;
    }
    return false;
}

struct flow {
    uint64_t reads, writes;
};

/* What a line, in a loop or behind it, reads and writes; false: not known, or
 * more than its first register and the flags. */
static bool flow_of(const struct litmus_dialect *d, const char *line,
                    struct flow *f)
{
    uint64_t first, again, all = registers_in(d, line, &first);
    const char *comma = strchr(line, ',');
    *f = (struct flow){0};
    if (is_label(line) || *line == '\0')
        return true;
    if (d->is_opaque && d->is_opaque(line))
        return false;
    if (litmus_dialect_begins(line, d->conditionals)) {
        *f = d->has_status ? (struct flow){all & ~first, first}
                           : (struct flow){all, FLAGS};
        return true;
    }
    if (is_jump(d, line)) {
        f->reads = all | FLAGS;
        return !is_open_jump(d, line);
    }
    if (is_one_of(line, d->compares)) {
        *f = (struct flow){all, FLAGS};
        return true;
    }
    if (has_vector(d, line))
        return false;
    f->reads = comma ? registers_in(d, comma, &again) : 0; /* add x1,x1,#1 */
    f->writes = first;
    if (is_one_of(line, d->sets_flags))
        f->writes |= FLAGS;
    else if (is_one_of(line, d->asks_flags))
        f->reads |= FLAGS;
    else
        return is_one_of(line, d->plain);
    return true;
}

/* Is one of these registers in the condition, or in a line outside of from ..
 * to? The flags matter to what reads them behind, or is not known. */
static bool is_used_outside(const struct litmus_dialect *d,
                            const struct litmus_test *t, uint32_t thread,
                            uint32_t from, uint32_t to, uint64_t registers)
{
    const struct litmus_thread *code = &t->threads[thread];
    uint64_t used = 0, first;
    unsigned bytes;
    struct flow f;
    for (uint32_t i = 0; i < t->n_terms; i++) {
        const struct litmus_term *x = &t->terms[i];
        int r = x->is_register && x->thread == thread ? d->find(x->name, &bytes)
                                                      : -1;
        if (r >= 0)
            used |= UINT64_C(1) << r;
    }
    for (uint32_t i = 0; i < code->n_lines; i++) {
        const char *line = code->lines[i].text;
        if (i < from || i > to)
            used |= registers_in(d, line, &first);
        if (i > to && (!flow_of(d, line, &f) || f.reads & FLAGS))
            used |= FLAGS;
    }
    return used & registers;
}

/* ---- loops */

/* Does the line jump to a label on the next one, to which no other does? That
 * only makes a dependency. */
static bool is_idle_jump(const struct litmus_dialect *d,
                         const struct litmus_thread *code, uint32_t at)
{
    const struct litmus_line *lines = code->lines;
    uint32_t n = 0;
    if (at + 1 >= code->n_lines || !is_label(lines[at + 1].text))
        return false;
    for (uint32_t i = 0; i < code->n_lines; i++)
        n += jumps_to(lines[i].text, lines[at + 1].text);
    return n == 1 && is_jump(d, lines[at].text) &&
           jumps_to(lines[at].text, lines[at + 1].text);
}

/* Has an iteration from line `from` to the store-conditional no effect but by
 * it? That is: no register's value goes from one iteration to the next, and
 * none stays behind when a later iteration leaves the loop on its way. Nothing
 * enters the loop, or jumps within it, so that what stands before a line has
 * been done. */
static bool is_clean(const struct litmus_dialect *d,
                     const struct litmus_test *t, uint32_t thread,
                     uint32_t from, uint32_t at)
{
    const struct litmus_thread *code = &t->threads[thread];
    uint64_t taken = 0, written = 0, late = 0;
    bool may_leave = false;
    for (uint32_t i = from; i <= at; i++) {
        const char *line = code->lines[i].text;
        struct flow f;
        if ((i < at && litmus_dialect_begins(line, d->stores)) ||
            !flow_of(d, line, &f) ||
            (i > from && is_label(line) && !is_idle_jump(d, code, i - 1)))
            return false;
        taken |= f.reads & ~written;
        written |= f.writes;
        may_leave |= i < at && is_jump(d, line) && !is_idle_jump(d, code, i);
        late |= may_leave ? f.writes : 0;
    }
    return !(taken & written) &&
           !is_used_outside(d, t, thread, from, at + 1, late);
}

/* Does the jump ask whether the store-conditional failed? */
static bool asks_for(const struct litmus_dialect *d, const char *conditional,
                     const char *jump)
{
    uint64_t status, asked;
    unsigned bytes;
    if (strncasecmp(jump, d->retry, strlen(d->retry)) != 0)
        return false;
    registers_in(d, conditional, &status);
    uint64_t others = registers_in(d, jump, &asked);
    others &= ~asked;
    if (d->zero)
        others &= ~(UINT64_C(1) << d->find(d->zero, &bytes));
    /* Another field of the condition register than the first is named. */
    const char *comma = strchr(jump, ',');
    return d->has_status ? status == asked && !others
                         : !comma || strncmp(comma - 3, "cr0", 3) == 0;
}

/* The next line goes back if it failed, and only then. */
static bool is_retried(const struct litmus_dialect *d,
                       const struct litmus_test *t, uint32_t thread,
                       uint32_t at)
{
    const struct litmus_thread *code = &t->threads[thread];
    if (at + 1 == code->n_lines)
        return false;
    const char *next = code->lines[at + 1].text;
    if (!asks_for(d, code->lines[at].text, next))
        return false;
    for (uint32_t i = 0; i < at; i++)
        if (is_label(code->lines[i].text) &&
            jumps_to(next, code->lines[i].text))
            return is_clean(d, t, thread, i, at);
    return false;
}

enum litmus_failing litmus_failing(const struct litmus_dialect *d,
                                   const struct litmus_test *t, uint32_t thread,
                                   uint32_t line)
{
    const struct litmus_thread *code = &t->threads[thread];
    if (!d->conditionals ||
        !litmus_dialect_begins(code->lines[line].text, d->conditionals))
        return LITMUS_NO_CONDITIONAL;
    if (has_open_jump(d, code)) /* perhaps in a loop */
        return LITMUS_FAILS_IN_LOOP;
    if (!is_in_loop(code, line))
        return LITMUS_FAILS_ALONE;
    return is_retried(d, t, thread, line) ? LITMUS_RETRIED
                                          : LITMUS_FAILS_IN_LOOP;
}
