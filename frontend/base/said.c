#include "frontend/base/said.h"

#include "core/mem.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Hashes of the messages that were shown. Of the process, like the stderr that
 * they were shown on. */
static struct {
    uint64_t *list;
    uint32_t n, cap;
} shown;

/* A message: lines that only lead to it, its own, and what explains it. */
struct message {
    char *text;
    size_t n;
    bool has_head; /* the line with the warning or error is there */
};

int said_open(void)
{
    return memfd_create("hwcheck-said", MFD_CLOEXEC);
}

static bool is_new(const struct message *m)
{
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    for (size_t i = 0; i < m->n; i++)
        hash = (hash ^ (unsigned char)m->text[i]) * 1099511628211u;
    for (uint32_t i = 0; i < shown.n; i++)
        if (shown.list[i] == hash)
            return false;
    shown.list = mem_room(shown.list, shown.n, &shown.cap, sizeof *shown.list);
    shown.list[shown.n++] = hash;
    return true;
}

static void end_message(struct message *m)
{
    if (m->n && is_new(m))
        fwrite(m->text, 1, m->n, stderr);
    m->n = 0;
    m->has_head = false;
}

static void add_line(struct message *m, const char *line, size_t n)
{
    bool is_head = line[0] != ' ' &&
                   (strstr(line, "warning: ") || strstr(line, "error: "));
    /* Lines of the program are indented; a note belongs to what it is about. */
    bool goes_on = line[0] == ' ' || strstr(line, "note: ");
    if (m->has_head && !goes_on)
        end_message(m);
    m->has_head |= is_head;
    m->text = mem_resize(m->text, m->n + n);
    memcpy(m->text + m->n, line, n);
    m->n += n;
}

/* "2 warnings generated." counts those that are not shown, too. */
static bool is_count(const char *line)
{
    size_t digits = strspn(line, "0123456789");
    return digits && strstr(line, " generated.");
}

void said_close(int fd)
{
    struct message m = {0};
    char *line = NULL;
    size_t cap = 0;
    if (fd < 0)
        return;
    FILE *in = lseek(fd, 0, SEEK_SET) == 0 ? fdopen(fd, "r") : NULL;
    if (!in) {
        close(fd);
        return;
    }
    for (ssize_t n; (n = getline(&line, &cap, in)) > 0;)
        if (!is_count(line))
            add_line(&m, line, (size_t)n);
    end_message(&m);
    fclose(in);
    free(line);
    free(m.text);
}

const char *said_color_option(void)
{
    return isatty(STDERR_FILENO) ? "-fdiagnostics-color=always" : NULL;
}
