/* What the program prints, told to hwcheck: text eight bytes at a time, numbers
 * as they are, which is simpler than to write them here. Compiled with
 * floating-point registers: arguments come in them. */
#include "frontend/guest/runtime.h"

#include "hw/print.h"

#include <stdarg.h>

/* Read as the program itself would. */
static char byte_at(const char *at)
{
    return (char)__hwc_load(at, 1);
}

struct printer {
    uint64_t caller;
    uint64_t bytes; /* gathered, the first lowest */
    unsigned n;
};

static void flush(struct printer *p)
{
    if (p->n)
        __hwc_tell(p->caller, OP_PRINT, p->n, p->bytes, 0);
    p->n = 0;
    p->bytes = 0;
}

static void put(struct printer *p, char c)
{
    p->bytes |= (uint64_t)(uint8_t)c << p->n * 8;
    if (++p->n == 8)
        flush(p);
}

static void put_text(struct printer *p, const char *text)
{
    while (*text)
        put(p, *text++);
}

static void pad(struct printer *p, int n)
{
    for (; n > 0; n--)
        put(p, ' ');
}

/* %s and %c; n bytes at most, if that is not negative. */
static void put_padded(struct printer *p, const struct print_spec *spec,
                       const char *text, int most)
{
    int n = 0;
    while ((most < 0 || n < most) && byte_at(&text[n]))
        n++;
    if (!spec->left)
        pad(p, spec->width - n);
    for (int i = 0; i < n; i++)
        put(p, byte_at(&text[i]));
    if (spec->left)
        pad(p, spec->width - n);
}

_Noreturn static void unmodelled(struct printer *p)
{
    __hwc_end(p->caller, OP_UNMODELLED,
              (uint64_t)(uintptr_t)"a conversion of printf that is not known",
              0, 0);
}

struct arguments {
    va_list list;
};

static int next_int(void *self)
{
    return va_arg(((struct arguments *)self)->list, int);
}

static void put_number(struct printer *p, const struct print_spec *spec,
                       uint64_t word)
{
    flush(p);
    __hwc_tell(p->caller, OP_PRINT, 0, print_pack(spec), word);
}

static void put_conversion(struct printer *p, const struct print_spec *spec,
                           struct arguments *args)
{
    bool is_long = spec->length == 'l';
    if (spec->type == '%') {
        put(p, '%');
    } else if (spec->type == 'c' && !is_long) {
        char text[] = {(char)va_arg(args->list, int), '\0'};
        if (text[0])
            put_padded(p, spec, text, -1);
        else
            put(p, '\0');
    } else if (spec->type == 's' && !is_long) {
        const char *text = va_arg(args->list, const char *);
        if (text)
            put_padded(p, spec, text, spec->precision);
        else
            put_text(p, "(null)");
    } else if (spec->type == 'p') {
        put_text(p, va_arg(args->list, void *) ? "(pointer)" : "(nil)");
    } else if (print_is_real(spec) && spec->length != 'L') {
        double real = va_arg(args->list, double);
        uint64_t word;
        __builtin_memcpy(&word, &real, sizeof word);
        put_number(p, spec, word);
    } else if (print_is_signed(spec) || print_is_unsigned(spec)) {
        uint64_t word = is_long || spec->length == 'L'
                            ? va_arg(args->list, uint64_t)
                            : va_arg(args->list, unsigned);
        put_number(p, spec, print_integer(spec, word));
    } else {
        unmodelled(p);
    }
}

/* A format is almost always a constant; one that is not is read once. */
#define FORMAT_MAX 1000

static int print(uint64_t caller, const char *from, va_list list)
{
    struct printer p = {.caller = caller};
    char copy[FORMAT_MAX], *format = copy;
    for (unsigned i = 0; (copy[i] = byte_at(&from[i])); i++)
        if (i == FORMAT_MAX - 2)
            unmodelled(&p);
    struct arguments args;
    struct print_stars stars = {next_int, &args};
    va_copy(args.list, list);
    while (*format) {
        struct print_spec spec;
        if (*format != '%') {
            put(&p, *format++);
            continue;
        }
        format = (char *)print_parse(format + 1, &spec, &stars);
        put_conversion(&p, &spec, &args);
    }
    flush(&p);
    va_end(args.list);
    return 0;
}

#define PRINT(declaration, last)                \
    int declaration                             \
    {                                           \
        va_list list;                           \
        va_start(list, last);                   \
        int result = print(CALLER, last, list); \
        va_end(list);                           \
        return result;                          \
    }
PRINT(printf(const char *format, ...), format)
PRINT(fprintf(void *stream, const char *format, ...), format)
PRINT(dprintf(int fd, const char *format, ...), format)

int vprintf(const char *format, va_list list)
{
    return print(CALLER, format, list);
}

int vfprintf(void *stream, const char *format, va_list list)
{
    return print(CALLER, format, list);
}

static int print_text(uint64_t caller, const char *text, size_t n, bool line)
{
    struct printer p = {.caller = caller};
    for (size_t i = 0; i < n; i++) {
        char c = byte_at(&text[i]);
        if (!c && n == SIZE_MAX)
            break;
        put(&p, c);
    }
    if (line)
        put(&p, '\n');
    flush(&p);
    return 0;
}

int puts(const char *text)
{
    return print_text(CALLER, text, SIZE_MAX, true);
}

int fputs(const char *text, void *stream)
{
    return print_text(CALLER, text, SIZE_MAX, false);
}

void perror(const char *text)
{
    print_text(CALLER, text ? text : "", SIZE_MAX, true);
}

static int print_char(uint64_t caller, int c)
{
    char text = (char)c;
    print_text(caller, &text, 1, false);
    return (unsigned char)c;
}

int putchar(int c)
{
    return print_char(CALLER, c);
}

int putc(int c, void *stream)
{
    return print_char(CALLER, c);
}

int fputc(int c, void *stream)
{
    return print_char(CALLER, c);
}

size_t fwrite(const void *from, size_t bytes, size_t n, void *stream)
{
    print_text(CALLER, from, bytes * n, false);
    return n;
}
