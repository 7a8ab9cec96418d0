#include "frontend/subject/sources.h"

#include "core/mem.h"
#include "frontend/target/target.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void add_file(struct sources *s, char *file)
{
    for (uint32_t i = 0; i < s->n; i++)
        if (strcmp(s->files[i], file) == 0) {
            free(file);
            return;
        }
    s->files = mem_resize(s->files, (s->n + 1) * sizeof *s->files);
    s->files[s->n++] = file;
}

/* One name of a rule of make; *at moves on past it. NULL: there is no more. */
static char *next_name(const char **at)
{
    const char *c = *at;
    while (*c == ' ' || *c == '\n' || (c[0] == '\\' && c[1] == '\n'))
        c++;
    char *name = mem_resize(NULL, strlen(c) + 1), *to = name;
    for (; *c && *c != ' ' && *c != '\n'; c++) {
        if (c[0] == '\\' && c[1] == '\n')
            break;
        if ((c[0] == '\\' && (c[1] == ' ' || c[1] == '#')) ||
            (c[0] == '$' && c[1] == '$'))
            c++;
        *to++ = *c;
    }
    *to = '\0';
    *at = c;
    if (*name)
        return name;
    free(name);
    return NULL;
}

static bool run_clang(const char *const *argv, int out)
{
    posix_spawn_file_actions_t actions;
    int status = 1;
    pid_t pid;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null",
                                     O_WRONLY, 0);
    int error = posix_spawnp(&pid, argv[0], &actions, NULL,
                             (char *const *)(uintptr_t)argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    while (!error && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return !error && status == 0;
}

/* What comes with the system, the compiler or hwcheck. */
static bool is_system(const char *file, const char *guest)
{
    return strncmp(file, "/usr/", 5) == 0 ||
           (guest[0] && strncmp(file, guest, strlen(guest)) == 0);
}

/* Rules "out: prog.c a.h b.h", one a file, that clang -M writes; to be freed.
 */
static char *read_rule(const char *const *argv)
{
    char *text = NULL;
    size_t cap = 0;
    int fd = memfd_create("hwcheck-files", MFD_CLOEXEC);
    if (fd < 0)
        return NULL;
    bool good = run_clang(argv, fd) && lseek(fd, 0, SEEK_SET) == 0;
    FILE *in = fdopen(fd, "r");
    if (!in) {
        close(fd);
        return NULL;
    }
    if (!good || getdelim(&text, &cap, '\0', in) <= 0) {
        free(text);
        text = NULL;
    }
    fclose(in);
    return text;
}

void sources_find(struct sources *s, const struct options *o,
                  const struct isa *isa, const char *path)
{
    const char **argv =
        mem_resize(NULL, (o->n_cflags + o->n_files + 16) * sizeof *argv);
    char include[3100] = "", target[120];
    struct err err;
    uint32_t n = 0;
    *s = (struct sources){0};
    add_file(s, strdup(path));
    for (uint32_t i = 1; i < o->n_files; i++)
        add_file(s, strdup(o->operands[i]));
    for (unsigned i = 0; i < o->assembly.n; i++)
        add_file(s, strdup(o->assembly.items[i]));
    argv[n++] = "clang-19";
    if (isa) {
        snprintf(target, sizeof target, "--target=%s", isa->triple);
        argv[n++] = target;
    }
    argv[n++] = "-nostdlibinc";
    if (target_find_guest("include", include, sizeof include, &err)) {
        argv[n++] = "-isystem";
        argv[n++] = include;
    }
    for (uint32_t i = 0; i < o->n_cflags; i++)
        argv[n++] = o->cflags[i];
    argv[n++] = "-w";
    argv[n++] = "-M"; /* not -MM: folders given by -isystem are the user's */
    argv[n++] = "-MT";
    argv[n++] = "out";
    argv[n++] = path;
    for (uint32_t i = 1; i < o->n_files; i++)
        argv[n++] = o->operands[i];
    argv[n] = NULL;
    char *rule = read_rule(argv);
    const char *at = rule ? rule : "";
    for (char *name; (name = next_name(&at));)
        if (strcmp(name, "out:") == 0 || is_system(name, include))
            free(name);
        else
            add_file(s, name);
    free(rule);
    free(argv);
}

void sources_release(struct sources *s)
{
    for (uint32_t i = 0; i < s->n; i++)
        free(s->files[i]);
    free(s->files);
    *s = (struct sources){0};
}
