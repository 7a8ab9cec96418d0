#include "frontend/base/child.h"

#include "core/halt.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum {
    SLICE_MS = 50,  /* a signal may come just before we wait */
    PAUSE_MS = 2,   /* where we can only ask again and again */
    GRACE_MS = 300, /* for compilers to remove their temporary files */
};

int child_start(pid_t *pid, const char *const *argv,
                const posix_spawn_file_actions_t *actions)
{
    posix_spawnattr_t attributes;
    int error = posix_spawnattr_init(&attributes);
    if (error)
        return error;
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    error = posix_spawnp(pid, argv[0], actions, &attributes,
                         (char *const *)(uintptr_t)argv, environ);
    posix_spawnattr_destroy(&attributes);
    if (!error)
        halt_child(*pid);
    return error;
}

bool child_has_output(int fd)
{
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    while (halt_reason() == HALT_NONE)
        if (poll(&ready, 1, SLICE_MS) > 0)
            return true;
    return false;
}

/* Has it ended? Waits a little for that. */
static bool has_ended(pid_t pid, int watch, int *status)
{
    struct pollfd ready = {.fd = watch, .events = POLLIN};
    struct timespec pause = {0, PAUSE_MS * 1000000L};
    if (watch >= 0)
        poll(&ready, 1, SLICE_MS);
    else
        nanosleep(&pause, NULL);
    pid_t got = waitpid(pid, status, WNOHANG);
    return got == pid || (got < 0 && errno != EINTR);
}

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

int child_wait(pid_t pid)
{
    int status = -1;
#ifdef SYS_pidfd_open
    int watch = (int)syscall(SYS_pidfd_open, pid, 0);
#else
    int watch = -1;
#endif
    bool ended = false;
    while (!ended && halt_reason() == HALT_NONE)
        ended = has_ended(pid, watch, &status);
    if (!ended) {
        kill(-pid, SIGTERM);
        for (int64_t end = now_ms() + GRACE_MS; !ended && now_ms() < end;)
            ended = has_ended(pid, watch, &status);
        kill(-pid, SIGKILL); /* those that it left behind, too */
    }
    while (!ended)
        ended = has_ended(pid, watch, &status);
    halt_child(0);
    if (watch >= 0)
        close(watch);
    return status;
}
