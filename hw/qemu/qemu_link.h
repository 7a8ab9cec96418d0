/* One QEMU process that runs threads of a guest image for us, and the memory
 * we share with its plugin (hw/qemu/wire.h). Whatever happens to hwcheck, the
 * process ends with it; a process that dies or hangs is started again once. */
#ifndef HW_QEMU_QEMU_LINK_H
#define HW_QEMU_QEMU_LINK_H

#include "core/err.h"
#include "hw/qemu/turn.h"

#include <sched.h>
#include <sys/types.h>

struct qemu_link {
    /* Borrowed, for as long as the link lives. */
    const char *qemu;    /* program, found in PATH unless it has a slash */
    const char *cpu;     /* -cpu, or NULL */
    const char *plugin;  /* path of hwcheck-plugin.so */
    int image;           /* file descriptor of the ELF */
    unsigned timeout_ms; /* without a sign of life */

    struct wire *wire; /* NULL: not open */
    int wire_fd;
    int messages; /* QEMU's stderr, or -1 */
    pid_t pid;    /* 0: not running */
    bool is_ready;
    bool is_close;   /* both are kept on one core */
    cpu_set_t cores; /* where we may run otherwise */
    unsigned n_starts, n_failures;
    uint64_t n_runs;
    struct turn_patience patience;
};

/* The shared memory, all zero but for its head; the caller fills in what must
 * be there before QEMU starts. */
bool qemu_link_init(struct qemu_link *link, struct err *err);
void qemu_link_release(struct qemu_link *link);

/* Starts QEMU. */
bool qemu_link_launch(struct qemu_link *link, struct err *err);
/* Waits until its guest is ready; starts it if need be. Not needed before
 * qemu_link_turn, which does it as well. */
bool qemu_link_start(struct qemu_link *link, struct err *err);

enum link_result {
    LINK_DONE,  /* see wire->status */
    LINK_AGAIN, /* QEMU failed and was replaced: start the run again */
    LINK_FAILED,
};

/* Lets QEMU work on a command until it is our turn again. */
enum link_result qemu_link_turn(struct qemu_link *link,
                                enum wire_command command, struct err *err);

/* No turn is to come for a while: we may run on any core again. */
void qemu_link_rest(struct qemu_link *link);

#endif
