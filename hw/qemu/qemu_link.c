#include "hw/qemu/qemu_link.h"

#include "core/halt.h"
#include "core/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SLICE_MS        50
#define TIMEOUT_MS      20000
#define FAILURES_MAX    1
#define TURNS_TO_MOVE   1024
#define EXIT_CANNOT_RUN 127
#define STACK_BYTES     (64 << 10)

/* After fork() each page of ours would be copied, or at least faulted on, when
 * it is written next: some hundred faults in a short exploration. The thread
 * sanitizer knows nothing but forks. */
#define CLONE_SHARES CLONE_VM
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#undef CLONE_SHARES
#define CLONE_SHARES 0
#endif
#endif

static uint64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

bool qemu_link_init(struct qemu_link *link, struct err *err)
{
    memset(link, 0, sizeof *link);
    link->image = link->messages = -1;
    link->timeout_ms = TIMEOUT_MS;
    link->wire_fd = memfd_create("hwcheck", MFD_CLOEXEC);
    if (link->wire_fd < 0 ||
        ftruncate(link->wire_fd, (off_t)sizeof(struct wire)) != 0)
        return err_set(err, ERR_SYSTEM, "no shared memory: %s",
                       strerror(errno));
    void *wire = mmap(NULL, sizeof(struct wire), PROT_READ | PROT_WRITE,
                      MAP_SHARED, link->wire_fd, 0);
    if (wire == MAP_FAILED)
        return err_set(err, ERR_SYSTEM, "no shared memory: %s",
                       strerror(errno));
    link->wire = wire;
    link->wire->magic = WIRE_MAGIC;
    link->wire->version = WIRE_VERSION;
    link->wire->bytes = sizeof(struct wire);
    return true;
}

void qemu_link_rest(struct qemu_link *link)
{
    if (link->is_close)
        sched_setaffinity(0, sizeof link->cores, &link->cores);
    link->is_close = false;
}

static void end_process(struct qemu_link *link)
{
    qemu_link_rest(link);
    if (link->pid > 0) {
        kill(-link->pid, SIGKILL);
        kill(link->pid, SIGKILL); /* it may not have its group yet */
        while (waitpid(link->pid, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    link->pid = 0;
    link->is_ready = false;
    if (link->messages >= 0)
        close(link->messages);
    link->messages = -1;
}

void qemu_link_release(struct qemu_link *link)
{
    end_process(link);
    if (link->wire)
        munmap(link->wire, sizeof *link->wire);
    link->wire = NULL;
    if (link->wire_fd >= 0)
        close(link->wire_fd);
    link->wire_fd = -1;
}

/* ---- starting */

static void keep_open(int fd)
{
    fcntl(fd, F_SETFD, 0);
}

struct start {
    const struct qemu_link *link;
    pid_t parent;
    int messages;
    const char *const *argv;
};

/* Runs in our memory, on a stack of its own: changes nothing there. */
static int become_qemu(void *arg)
{
    const struct start *start = arg;
    const struct qemu_link *link = start->link;
    char *const *argv = (char *const *)(uintptr_t)start->argv;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != start->parent)
        _exit(EXIT_CANNOT_RUN);
    setpgid(0, 0);
    int null = open("/dev/null", O_RDWR);
    if (null >= 0) {
        dup2(null, STDIN_FILENO);
        dup2(null, STDOUT_FILENO);
    }
    dup2(start->messages, STDERR_FILENO);
    keep_open(link->wire_fd);
    keep_open(link->image);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execvp(argv[0], argv);
    static const char text[] = "cannot be run";
    ssize_t n = write(STDERR_FILENO, text, sizeof text - 1);
    (void)n;
    _exit(EXIT_CANNOT_RUN);
}

bool qemu_link_launch(struct qemu_link *link, struct err *err)
{
    struct wire *w = link->wire;
    w->status = STATUS_NONE;
    w->message[0] = '\0';
    atomic_store(&w->sleeps[TURN_HOST], 0);
    atomic_store(&w->sleeps[TURN_QEMU], 0);
    atomic_store(&w->turn, TURN_QEMU);
    char plugin[4200], image[40];
    snprintf(plugin, sizeof plugin, "%s,fd=%d", link->plugin, link->wire_fd);
    snprintf(image, sizeof image, "/proc/self/fd/%d", link->image);
    const char *argv[8];
    int n = 0;
    argv[n++] = link->qemu;
    if (link->cpu) {
        argv[n++] = "-cpu";
        argv[n++] = link->cpu;
    }
    argv[n++] = "-plugin";
    argv[n++] = plugin;
    argv[n++] = image;
    argv[n] = NULL;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return err_set(err, ERR_SYSTEM, "no pipe: %s", strerror(errno));
    struct start start = {link, getpid(), ends[1], argv};
    char *stack = mem_resize(NULL, STACK_BYTES);
    pid_t pid = clone(become_qemu, stack + STACK_BYTES,
                      CLONE_SHARES | CLONE_VFORK | SIGCHLD, &start);
    free(stack);
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return err_set(err, ERR_SYSTEM, "cannot clone: %s", strerror(errno));
    }
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    link->messages = ends[0];
    link->pid = pid;
    link->n_starts++;
    return true;
}

/* ---- failing */

/* What QEMU said last, on one line. */
static void last_message(const struct qemu_link *link, char *buf, size_t cap)
{
    char text[4000];
    struct pollfd ready = {.fd = link->messages, .events = POLLIN};
    ssize_t n = poll(&ready, 1, 100) > 0
                    ? read(link->messages, text, sizeof text - 1)
                    : 0;
    text[n > 0 ? n : 0] = '\0';
    size_t k = 0;
    for (const char *s = text; *s && k + 1 < cap; s++)
        buf[k++] = *s == '\n' ? (s[1] ? ';' : ' ') : *s;
    while (k > 0 && buf[k - 1] == ' ')
        k--;
    buf[k] = '\0';
}

static bool says(const char *message, const char *what)
{
    return strstr(message, what) != NULL;
}

/* The process has ended: says why. */
static bool explain(struct qemu_link *link, int status, struct err *err)
{
    char message[600];
    last_message(link, message, sizeof message);
    if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_CANNOT_RUN &&
        says(message, "cannot be run"))
        return err_set(err, ERR_SYSTEM,
                       "%s cannot be run: is it installed and in PATH? "
                       "(Debian: apt-get install qemu-user)",
                       link->qemu);
    if (link->wire->status == STATUS_NONE &&
        (says(message, "plugin support") || says(message, "-plugin") ||
         says(message, "unrecognized option") ||
         says(message, "unknown option") || says(message, "API version")))
        return err_set(err, ERR_SYSTEM,
                       "%s has no plugins or is too old: QEMU 6.0 or later, "
                       "built with plugins, is needed; it said: %s",
                       link->qemu, message);
    if (link->wire->status == STATUS_NONE)
        return err_set(err, ERR_SYSTEM, "%s did not start%s%s", link->qemu,
                       message[0] ? ": " : "", message);
    if (WIFSIGNALED(status))
        return err_set(err, ERR_SYSTEM, "%s was killed by signal %d (%s)%s%s",
                       link->qemu, WTERMSIG(status),
                       strsignal(WTERMSIG(status)), message[0] ? ": " : "",
                       message);
    return err_set(err, ERR_SYSTEM, "%s ended with code %d%s%s", link->qemu,
                   WEXITSTATUS(status), message[0] ? ": " : "", message);
}

/* ---- turns */

struct wait {
    struct qemu_link *link;
    uint64_t deadline; /* 0: not asked yet */
    struct err *err;
};

static bool is_worth_waiting(void *self)
{
    struct wait *wait = self;
    struct qemu_link *link = wait->link;
    if (halt_reason() != HALT_NONE)
        return halt_fail(wait->err);
    int status;
    if (waitpid(link->pid, &status, WNOHANG) == link->pid) {
        link->pid = 0;
        return explain(link, status, wait->err);
    }
    if (!wait->deadline)
        wait->deadline = now_ms() + link->timeout_ms;
    if (now_ms() > wait->deadline)
        return err_set(wait->err, ERR_SYSTEM,
                       "%s gave no sign of life for %u seconds", link->qemu,
                       link->timeout_ms / 1000);
    return true;
}

/* True: our turn. False: QEMU is gone, and err says how. */
static bool wait_turn(struct qemu_link *link, struct err *err)
{
    struct wait wait = {.link = link, .err = err};
    return turn_wait(link->wire, &link->patience, TURN_HOST, SLICE_MS,
                     is_worth_waiting, &wait);
}

bool qemu_link_start(struct qemu_link *link, struct err *err)
{
    const struct wire *w = link->wire;
    if (link->is_ready)
        return true;
    if (!link->pid && !qemu_link_launch(link, err))
        return false;
    if (!wait_turn(link, err)) {
        end_process(link);
        return false;
    }
    link->is_ready = w->status == STATUS_READY;
    if (link->is_ready)
        return true;
    end_process(link);
    return err_set(err, ERR_SYSTEM, "%s: %s", link->qemu, w->message);
}

/* The two never run at the same time, and waking a process on another, sleeping
 * core costs several times the run. The scheduler does just that, so both are
 * kept on one core as long as runs follow each other; now and then it may move
 * us away from a core that others want. */
static void keep_close(struct qemu_link *link)
{
    if (link->n_runs % TURNS_TO_MOVE == 0)
        qemu_link_rest(link);
    else if (!link->is_close) {
        cpu_set_t here;
        int core = sched_getcpu();
        if (core < 0 || core >= CPU_SETSIZE)
            return;
        CPU_ZERO(&here);
        CPU_SET((size_t)core, &here);
        link->is_close =
            sched_getaffinity(0, sizeof link->cores, &link->cores) == 0 &&
            sched_setaffinity(link->pid, sizeof here, &here) == 0 &&
            sched_setaffinity(0, sizeof here, &here) == 0;
    }
}

enum link_result qemu_link_turn(struct qemu_link *link,
                                enum wire_command command, struct err *err)
{
    struct wire *w = link->wire;
    if (!qemu_link_start(link, err))
        return LINK_FAILED;
    keep_close(link);
    w->command = command;
    link->n_runs += command == COMMAND_RUN;
    turn_give(w, TURN_QEMU);
    struct err why = {0};
    if (wait_turn(link, &why)) {
        if (w->status != STATUS_BAD)
            return LINK_DONE;
        err_set(err, ERR_SYSTEM, "%s: %s", link->qemu, w->message);
        end_process(link);
        return LINK_FAILED;
    }
    end_process(link);
    if (why.kind == ERR_STOPPED) {
        *err = why;
        return LINK_FAILED;
    }
    if (link->n_failures++ < FAILURES_MAX && qemu_link_start(link, err))
        return LINK_AGAIN;
    *err = why;
    err_wrap(err, "QEMU failed twice");
    return LINK_FAILED;
}
