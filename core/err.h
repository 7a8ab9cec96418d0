/* What can fail on input returns bool and takes a `struct err *` last: true is
 * success, and then the err is untouched. A value type without allocation, so
 * that it works when memory is out. Whoever ends with it prints it, once. */
#ifndef CORE_ERR_H
#define CORE_ERR_H

#include <stdbool.h>

enum err_kind {
    ERR_NONE,
    ERR_USAGE,    /* the command line */
    ERR_INPUT,    /* a program, model or other file that cannot be used */
    ERR_COMPILE,  /* a compiler refuses the program, and has said why */
    ERR_SYSTEM,   /* a file, process or memory that could not be had */
    ERR_STOPPED,  /* the command is to end: core/halt.h */
    ERR_INTERNAL, /* a broken invariant of our own */
};

struct err {
    enum err_kind kind;
    char text[1000];
};

/* Records a failure; returns false, so that `return err_set(...)` reads well.
 */
bool err_set(struct err *err, enum err_kind kind, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Puts context in front: "loading 'a.elf': bad magic 0x1234". Returns false. */
bool err_wrap(struct err *err, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Puts the file in front that the message is about, unless it is named there.
 */
void err_name_file(struct err *err, const char *path);

#endif
