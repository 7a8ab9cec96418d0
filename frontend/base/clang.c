#include "frontend/base/clang.h"

#include "core/embedded.h"
#include "core/halt.h"
#include "core/mem.h"
#include "frontend/base/child.h"
#include "frontend/base/said.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define HEADERS_MAX 64

/* The headers as files in memory, and a list of them for clang's file system
 * overlay, which makes them appear under CLANG_INCLUDE_DIR. */
struct header_files {
    int fds[HEADERS_MAX];
    int n;
    int list; /* -1: not there yet */
};

static int memory_file(const char *text, size_t bytes)
{
    int fd = memfd_create("hwcheck", 0);
    if (fd < 0)
        return -1;
    while (bytes > 0) {
        ssize_t n = write(fd, text, bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            close(fd);
            return -1;
        }
        text += n;
        bytes -= (size_t)n;
    }
    return fd;
}

static void close_headers(struct header_files *h)
{
    while (h->n > 0)
        close(h->fds[--h->n]);
    if (h->list >= 0)
        close(h->list);
}

static bool open_headers(struct header_files *h, struct err *err)
{
    char *list = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&list, &bytes);
    h->n = 0;
    h->list = -1;
    if (!out)
        return err_set(err, ERR_SYSTEM, "open_memstream: %s", strerror(errno));
    fputs("{'version': 0, 'use-external-names': false, 'roots': [", out);
    bool ok = true;
    for (const struct embedded_file *f = embedded_headers; ok && f->name; f++) {
        int fd =
            h->n < HEADERS_MAX ? memory_file(f->text, strlen(f->text)) : -1;
        ok = fd >= 0;
        if (ok)
            fprintf(out,
                    "{'type': 'file', 'name': '%s/%s', "
                    "'external-contents': '/proc/self/fd/%d'},",
                    CLANG_INCLUDE_DIR, f->name, h->fds[h->n++] = fd);
    }
    fputs("]}", out);
    fclose(out);
    if (ok)
        h->list = memory_file(list, bytes);
    free(list);
    if (h->list >= 0)
        return true;
    close_headers(h);
    return err_set(err, ERR_SYSTEM, "memfd_create: %s", strerror(errno));
}

static bool read_all(int fd, char **output, size_t *bytes)
{
    unsigned cap = 0;
    size_t n = 0;
    char *text = NULL;
    for (;;) {
        text = mem_room(text, n + 65536, &cap, 1);
        bool has = child_has_output(fd);
        ssize_t got = has ? read(fd, text + n, 65536) : -1;
        if (has && got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            *output = text;
            *bytes = n;
            return got == 0;
        }
        n += (size_t)got;
    }
}

static bool spawn(const char **argv, int out, int said, pid_t *pid,
                  struct err *err)
{
    static const char *const names[] = {"clang-19", "clang"};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    if (said >= 0)
        posix_spawn_file_actions_adddup2(&actions, said, STDERR_FILENO);
    int error = ENOENT;
    for (int i = 0; i < 2 && error == ENOENT; i++) {
        argv[0] = names[i];
        error = child_start(pid, argv, &actions);
    }
    posix_spawn_file_actions_destroy(&actions);
    if (error == ENOENT)
        return err_set(err, ERR_SYSTEM,
                       "cannot find clang: neither 'clang-19' nor 'clang' is "
                       "in the path");
    if (error)
        return err_set(err, ERR_SYSTEM, "cannot run clang: %s",
                       strerror(error));
    return true;
}

static bool run(const char **argv, char **output, size_t *bytes, int said,
                struct err *err)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return err_set(err, ERR_SYSTEM, "pipe: %s", strerror(errno));
    pid_t pid;
    bool started = spawn(argv, ends[1], said, &pid, err);
    close(ends[1]);
    bool whole = started && read_all(ends[0], output, bytes);
    close(ends[0]);
    if (!started)
        return false;
    int status = child_wait(pid);
    if (whole && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    free(*output);
    *output = NULL;
    if (halt_reason() != HALT_NONE)
        return halt_fail(err);
    if (WIFSIGNALED(status))
        return err_set(err, ERR_SYSTEM, "clang was killed by signal %d",
                       WTERMSIG(status));
    return err_set(err, ERR_INPUT, "clang failed");
}

bool clang_run(const char *const *args, int n_args, char **output,
               size_t *bytes, struct err *err)
{
    struct header_files headers;
    if (halt_reason() != HALT_NONE)
        return halt_fail(err);
    if (!open_headers(&headers, err))
        return false;
    char overlay[64];
    snprintf(overlay, sizeof overlay, "/proc/self/fd/%d", headers.list);
    const char **argv = mem_resize(NULL, ((size_t)n_args + 11) * sizeof *argv);
    int n = 1;
    argv[n++] = "-ivfsoverlay";
    argv[n++] = overlay;
    argv[n++] = "-isystem";
    argv[n++] = CLANG_INCLUDE_DIR;
    for (int i = 0; i < n_args; i++)
        argv[n++] = args[i];
    if (said_color_option())
        argv[n++] = said_color_option();
    argv[n++] = "-o";
    argv[n++] = "-";
    argv[n] = NULL;
    int said = said_open();
    bool ok = run(argv, output, bytes, said, err);
    said_close(said);
    free(argv);
    close_headers(&headers);
    return ok;
}
