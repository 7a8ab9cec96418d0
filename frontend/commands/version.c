#include "frontend/commands/version.h"

#include "frontend/base/cli.h"
#include "frontend/target/target.h"
#include "hw/decode.h"

#include <cjson/cJSON.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <llvm-c/Core.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Starts `program --version`; returns its output, or -1. */
static int start(const char *program, pid_t *pid)
{
    const char *const argv[] = {program, "--version", NULL};
    posix_spawn_file_actions_t actions;
    int fds[2];
    if (pipe2(fds, O_CLOEXEC) != 0)
        return -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fds[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null",
                                     O_WRONLY, 0);
    int error = posix_spawnp(pid, program, &actions, NULL,
                             (char *const *)(uintptr_t)argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(fds[1]);
    if (!error)
        return fds[0];
    close(fds[0]);
    return -1;
}

/* The first line that the program says of itself. */
static void print_program(const char *program, FILE *out)
{
    char line[300] = "";
    int status;
    pid_t pid;
    int fd = start(program, &pid);
    FILE *in = fd < 0 ? NULL : fdopen(fd, "r");
    if (in) {
        bool more = fgets(line, sizeof line, in) != NULL;
        if (!more)
            line[0] = '\0';
        while (more && fgetc(in) != EOF) /* else it may die of SIGPIPE */
            ;
        fclose(in);
    } else if (fd >= 0)
        close(fd);
    while (fd >= 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    line[strcspn(line, "\n")] = '\0';
    fprintf(out, "  %-26s%s\n", program, line[0] ? line : "not found");
}

void version_print(FILE *out)
{
    unsigned major, minor, patch;
    char capstone[20];
    LLVMGetVersion(&major, &minor, &patch);
    decode_version(capstone, sizeof capstone);
    fprintf(out, "hwcheck %s\n\nLibraries:\n", HWCHECK_VERSION);
    fprintf(out, "  %-26s%u.%u.%u\n", "LLVM", major, minor, patch);
    fprintf(out, "  %-26s%s\n", "Capstone", capstone);
    fprintf(out, "  %-26s%s\n", "libdw", dwfl_version(NULL));
    fprintf(out, "  %-26s%s\n\nCompilers and linker:\n", "cJSON",
            cJSON_Version());
    print_program("clang-19", out);
    print_program("ld.lld-19", out);
    for (const struct isa *const *i = isa_registry; *i; i++) {
        char gcc[120];
        snprintf(gcc, sizeof gcc, "%s-gcc", (*i)->triple);
        print_program(gcc, out);
    }
    fputs("\nQEMU:\n", out);
    for (const struct isa *const *i = isa_registry; *i; i++)
        print_program((*i)->qemu, out);
}
