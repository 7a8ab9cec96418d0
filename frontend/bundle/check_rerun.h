/* What makes a bundle one that can be run again, wherever it is: the files of
 * the program in the places they have to each other, mappings and models of the
 * user's own, and a command in which all paths lead to these. */
#ifndef FRONTEND_CHECK_RERUN_H
#define FRONTEND_CHECK_RERUN_H

#include "frontend/check/check.h"

#include <stdio.h>

struct rerun {
    char **words; /* the command, without "hwcheck"; owned */
    uint32_t n_words;
    char **files; /* names in the bundle of what was copied; owned */
    uint32_t n_files;
    char *root; /* the folder whose place the bundle takes; owned */
};

/* Copies the files into the folder dir and makes the command. Call
 * rerun_release in either case. */
bool rerun_make(struct rerun *r, const struct check *c, const char *dir,
                struct err *err);
void rerun_release(struct rerun *r);

/* "hwcheck check --arch=..." as a shell would read it, and a line's end. */
void rerun_print_command(const struct rerun *r, FILE *out);
/* A script that runs it in its own folder and compares the verdict. */
void rerun_print_script(const struct rerun *r, const struct check *c,
                        FILE *out);
/* One that runs those of all folders beside it. */
void rerun_print_all(FILE *out);

/* A word in quotes, if a shell needs them. */
void rerun_print_word(const char *word, FILE *out);

#endif
