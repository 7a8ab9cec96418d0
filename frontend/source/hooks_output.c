/* What the program prints: an effect for loops, and, if wanted, part of the
 * outcome. If the user wants to see it each printing call shows once for each
 * different past of its thread, not once an execution. */
#include "frontend/source/hooks_library.h"

#include "hw/print.h"

#include <stdio.h>
#include <string.h>

/* Text on its way out, eight bytes at a time. */
struct printer {
    struct hooks *hooks;
    uint32_t site;
    char bytes[8];
    unsigned n;
};

/* Counts as an effect. Is anyone to see what it prints? */
static bool is_seen(struct hooks *h)
{
    h->effects++;
    return h->program->prints || h->show_output;
}

static void flush(struct printer *p)
{
    struct hooks *h = p->hooks;
    struct label label = {
        .kind = LABEL_OBSERVE,
        .size = (uint8_t)p->n,
        .place = h->image->sites[p->site].place,
        .loc = LOC_NONE,
        .value = label_printed(p->bytes, p->n),
    };
    if (p->n == 0)
        return;
    if (h->show_output && hooks_is_live(h))
        fwrite(p->bytes, 1, p->n, stderr);
    if (h->program->prints) {
        hooks_tell(h, &label);
        h->events++; /* a loop that prints for ever is cut like any other */
    }
    p->n = 0;
}

static void put(struct printer *p, char c)
{
    p->bytes[p->n++] = c;
    if (p->n == sizeof p->bytes)
        flush(p);
}

static void put_text(struct printer *p, const char *text, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        put(p, text[i]);
}

static char byte_at(struct printer *p, uint64_t addr)
{
    return (char)hooks_load(p->hooks, p->site, addr, 1);
}

static void pad(struct printer *p, int n)
{
    for (; n > 0; n--)
        put(p, ' ');
}

/* %s: the text is read twice, as the machine's library does. */
static void put_padded(struct printer *p, const struct print_spec *spec,
                       uint64_t text)
{
    int n = 0;
    while ((spec->precision < 0 || n < spec->precision) &&
           byte_at(p, text + (unsigned)n))
        n++;
    if (!spec->left)
        pad(p, spec->width - n);
    for (int i = 0; i < n; i++)
        put(p, byte_at(p, text + (unsigned)i));
    if (spec->left)
        pad(p, spec->width - n);
}

/* The words that are passed behind the format. */
struct arguments {
    const uint64_t *words;
    uint32_t left;
};

static uint64_t next_word(struct arguments *a)
{
    if (!a->left)
        return 0;
    a->left--;
    return *a->words++;
}

static int next_int(void *self)
{
    return (int)next_word(self);
}

static void put_conversion(struct printer *p, const struct print_spec *spec,
                           struct arguments *args)
{
    char text[PRINT_MAX];
    bool is_long = spec->length == 'l';
    if (spec->type == '%') {
        put(p, '%');
    } else if (spec->type == 'c' && !is_long) {
        char c = (char)next_word(args);
        int padding = c ? spec->width - 1 : 0;
        pad(p, spec->left ? 0 : padding);
        put(p, c);
        pad(p, spec->left ? padding : 0);
    } else if (spec->type == 's' && !is_long) {
        uint64_t from = next_word(args);
        if (from)
            put_padded(p, spec, from);
        else
            put_text(p, "(null)", 6);
    } else if (spec->type == 'p') {
        const char *what = next_word(args) ? "(pointer)" : "(nil)";
        put_text(p, what, (unsigned)strlen(what));
    } else if (print_is_real(spec) && spec->length != 'L') {
        put_text(p, text, print_value(spec, next_word(args), text));
    } else if (print_is_signed(spec) || print_is_unsigned(spec)) {
        uint64_t word = print_integer(spec, next_word(args));
        put_text(p, text, print_value(spec, word, text));
    } else {
        hooks_unmodelled(p->hooks, p->site,
                         "a conversion of printf that is not known");
    }
}

#define FORMAT_MAX 1000

/* The format, which is almost always a constant. */
static void read_format(struct printer *p, uint64_t from, char copy[FORMAT_MAX])
{
    for (unsigned i = 0; (copy[i] = byte_at(p, from + i)); i++)
        if (i == FORMAT_MAX - 2)
            hooks_unmodelled(p->hooks, p->site,
                             "a conversion of printf that is not known");
}

uint64_t hooks_on_printf(struct hooks *h, uint32_t site, uint64_t format,
                         uint64_t array, uint64_t n_words, uint64_t stream)
{
    (void)stream;
    struct printer p = {.hooks = h, .site = site};
    struct arguments args = {(const uint64_t *)(uintptr_t)array,
                             (uint32_t)n_words};
    struct print_stars stars = {next_int, &args};
    char copy[FORMAT_MAX];
    if (!is_seen(h))
        return 0;
    read_format(&p, format, copy);
    for (const char *s = copy; *s;) {
        struct print_spec spec;
        if (*s != '%') {
            put(&p, *s++);
            continue;
        }
        s = print_parse(s + 1, &spec, &stars);
        put_conversion(&p, &spec, &args);
    }
    flush(&p);
    return 0;
}

static void put_string(struct printer *p, uint64_t text)
{
    char c;
    while ((c = byte_at(p, text++)))
        put(p, c);
}

uint64_t hooks_on_puts(struct hooks *h, uint32_t site, uint64_t text,
                       uint64_t b, uint64_t c, uint64_t d)
{
    (void)b, (void)c, (void)d;
    struct printer p = {.hooks = h, .site = site};
    if (!is_seen(h))
        return 0;
    put_string(&p, text);
    put(&p, '\n');
    flush(&p);
    return 0;
}

uint64_t hooks_on_fputs(struct hooks *h, uint32_t site, uint64_t text,
                        uint64_t b, uint64_t c, uint64_t d)
{
    (void)b, (void)c, (void)d;
    struct printer p = {.hooks = h, .site = site};
    if (!is_seen(h))
        return 0;
    put_string(&p, text);
    flush(&p);
    return 0;
}

uint64_t hooks_on_fwrite(struct hooks *h, uint32_t site, uint64_t from,
                         uint64_t bytes, uint64_t n, uint64_t stream)
{
    (void)stream;
    struct printer p = {.hooks = h, .site = site};
    if (!is_seen(h))
        return n;
    for (uint64_t i = 0; i < bytes * n; i++)
        put(&p, byte_at(&p, from + i));
    flush(&p);
    return n;
}

uint64_t hooks_on_putchar(struct hooks *h, uint32_t site, uint64_t character,
                          uint64_t b, uint64_t c, uint64_t d)
{
    (void)b, (void)c, (void)d;
    struct printer p = {.hooks = h, .site = site};
    if (!is_seen(h))
        return (unsigned char)character;
    put(&p, (char)character);
    flush(&p);
    return (unsigned char)character;
}
