/* Programs that we run, such as compilers. Each has a process group of its own,
 * which ends when the command is to end (core/halt.h): a compiler is several
 * processes, and a script around it one more. */
#ifndef FRONTEND_CHILD_H
#define FRONTEND_CHILD_H

#include <spawn.h>
#include <stdbool.h>
#include <sys/types.h>

/* Starts argv[0], which is looked for in PATH. 0, or why not as an errno. One
 * at a time. */
int child_start(pid_t *pid, const char *const *argv,
                const posix_spawn_file_actions_t *actions);
/* Waits for something to read; false: the command is to end. */
bool child_has_output(int fd);
/* Waits for its end and returns its status as of waitpid. If the command is to
 * end, so is the child. */
int child_wait(pid_t pid);

#endif
