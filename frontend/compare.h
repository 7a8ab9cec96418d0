/* Outcomes of two explorations of one program, by texts that mean the same on
 * both sides: names of observations and globals, and values, addresses by the
 * name of what they point to. Arena: run. */
#ifndef FRONTEND_COMPARE_H
#define FRONTEND_COMPARE_H

#include "core/explore.h"
#include "frontend/target.h"

/* The globals that count, by name. A side that never changes one does not
 * mention it, so the initial value is kept. */
struct compare_global {
    char *name, *initial;
};

struct compare_globals {
    struct compare_global *list;
    uint32_t n;
};

/* Those that either side changes. An internal one that the machine code never
 * writes (the compiler removed the stores, or all of it) is not compared: a
 * final value that nobody reads is nobody's to see. */
void compare_globals_init(struct compare_globals *g,
                          const struct explore *source,
                          const struct explore *machine,
                          const struct target *target);
void compare_globals_release(struct compare_globals *g);

/* "r1=1 r2=0 x=2": observations, then globals. */
struct compare_outcome {
    char *text;
    uint64_t executions;
};

struct compare_set {
    struct compare_outcome *list; /* by text, each once */
    uint32_t n;
    bool cut; /* there are more: they were not kept */
};

void compare_set_init(struct compare_set *s, const struct explore *x,
                      const struct compare_globals *globals);
void compare_set_release(struct compare_set *s);

/* Its index, or UINT32_MAX. */
uint32_t compare_set_find(const struct compare_set *s, const char *text);

/* The outcome of one execution, to be freed. */
char *compare_text(struct program *program, const struct path *path,
                   const struct graph *g,
                   const struct compare_globals *globals);

/* A failing assertion, an abort or a deadlock is behaviour that both sides can
 * have; all else is undefined, so that nothing can be compared. */
bool compare_is_undefined(const struct violation *v);
/* "assertion 'a == 1' failed (prog.c:12)" */
void compare_violation(const struct explore *x, const struct violation *v,
                       char *buf, size_t cap);
/* Has x a violation of that text? */
bool compare_has_violation(const struct explore *x, const char *text);

/* Is there a cycle in po | rf, or with `co` in po | rf | co? (Then some write
 * came before an earlier read of its thread: load buffering.) */
bool compare_is_cyclic(const struct graph *g, bool co);

#endif
