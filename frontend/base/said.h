/* What compilers say, once: a program is compiled for the source and for each
 * target, and a warning is about the program. */
#ifndef FRONTEND_SAID_H
#define FRONTEND_SAID_H

/* A file in memory for a child's stderr; -1: there is none, it has ours. */
int said_open(void);

/* Copies what is in the file to stderr, but for messages that were copied
 * before, and closes it. */
void said_close(int fd);

/* The option by which compilers use colours as if they wrote to stderr
 * themselves, if that is a terminal; else NULL. */
const char *said_color_option(void);

#endif
