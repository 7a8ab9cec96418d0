/* Port: a memory model, asked by the explorer after each added event.
 *
 * The explorer adds events so that the new one is maximal in po and rf. It
 * keeps read-modify-writes atomic by construction (the write half follows its
 * source directly in co), therefore axioms that only say so (`empty rmw & ...`)
 * are left out of `check`, and two halves of one RMW are two events. With pairs
 * that are apart (EVENT_APART) complete graphs are asked of `judge`. */
#ifndef CORE_MODEL_H
#define CORE_MODEL_H

#include "core/err.h"
#include "core/graph.h"

/* What one explorer keeps of a model while it works: memory to work in, rows
 * that it has made before. A model itself does not change once it is loaded:
 * any number of explorers, in any threads, may use it, each with an instance of
 * its own. */
struct model_instance;

/* Why a graph is not consistent, or what a flag found. */
struct broken {
    const char *axiom;  /* its name in the model; owned by the model */
    const char *kind;   /* "acyclic", "irreflexive", "empty", "flag" */
    uint32_t n;         /* events of the cycle, or 2 for a pair */
    event_id cycle[64]; /* cycle[i] is related to cycle[i+1], cyclically;
                           initial writes are EVENT_INIT */
    char edge[64][32];  /* name of the relation from cycle[i] on */
    bool unexplored;    /* a flag that is no violation: beside an execution like
                           this there may be others that are not explored */
};

struct model {
    const char *name;  /* "rc11" */
    const char *title; /* the quoted first line of the cat file */
    uint32_t n_rows;   /* bit rows to keep per event, from ROW_MODEL on */
    int hb_row; /* index in ROW_* of happens-before; -1: none, use ROW_CAUSE */
    /* A row c (ROW_PO, ROW_CAUSE or one of the model's) for which the axioms
     * imply irreflexive c;eco, so that sources and places which contradict it
     * need not be tried; -1: none. */
    int coherence_row;
    /* A row with all of its thread that must be there before an event can be:
     * the closure of what `causes` would fill, of addr, data, ctrl and rmw,
     * and of what calls need and who needs them (TAGS_WAITING, TAGS_NEEDED);
     * -1: none. */
    int cause_row;
    /* Writes with one of these tags are an exception: a thread that has read
     * one of two writes to a location may read the other one, although it is
     * earlier in co, if one of them is such. */
    uint64_t stale_tags;
    bool needs_deps;     /* mentions addr, data or ctrl: else events get none */
    bool orders_picks;   /* mentions paddr */
    bool tells_failures; /* its `corder` mentions swaps that failed */
    bool acyclic_cause;  /* forbids cycles in po | rf */
    /* Holds of an event, added last in its thread, that is on no cycle of po,
     * rf, co and fr. */
    bool within_sc;
    /* Says that the write of an RMW follows the RMW's source directly in co. */
    bool atomic_rmw;
    bool has_axioms;
    bool has_flags;
    bool has_final; /* some axiom must wait for the complete graph */
    void *self;     /* not changed until `release` */

    struct model_instance *(*instantiate)(const struct model *m);
    void (*dismiss)(struct model_instance *in);

    /* Fills the model's rows of e, which was just added (a read with its rf, a
     * join with its edges); co of a write need not be known. Without
     * acyclic_cause also the rows of all behind e in its thread: these must be
     * filled anew whenever something before them comes or goes. May put rows
     * off (graph.raw) until `check` needs them, or `settle` is called. */
    void (*enter)(struct model_instance *in, struct graph *g, event_id e);

    /* Makes the rows that were put off; before one is looked at. */
    void (*settle)(struct model_instance *in, const struct graph *g);

    /* Is the graph, consistent without e, consistent with it? (A write stands
     * in co.) Only axioms that can never be mended by adding events. */
    bool (*check)(struct model_instance *in, const struct graph *g, event_id e);

    /* `check` has just said no of e, last in its thread, with its source or
     * place. Is it so with each co-earlier one too, if only that is different?
     * False: not known. */
    bool (*refuses_earlier)(struct model_instance *in, const struct graph *g,
                            event_id e);

    /* Can no axiom and no flag tell whether a fence with these tags is there?
     * Then the explorer leaves it out. NULL: each may be seen. */
    bool (*ignores)(struct model_instance *in, uint64_t tags);

    /* Is one of these tags mentioned by an axiom? */
    bool (*mentions)(const struct model *m, uint64_t tags);

    /* Does e raise a flag? Then fills `why` with the flag's name and the pair
     * {other, e}. */
    bool (*flagged)(struct model_instance *in, const struct graph *g,
                    event_id e, struct broken *why);

    /* Judges a complete graph by the axioms that `check` left out. */
    bool (*final)(struct model_instance *in, const struct graph *g);

    /* Only without acyclic_cause: which events must be there before e can be,
     * whatever rest of the graph is taken away (the model's `corder`, one step;
     * rf and dependencies need not be in it). Fills row e of `rows`, for each
     * live e. NULL: nothing beyond those, or cause_row has it. */
    void (*causes)(const struct model *m, const struct graph *g,
                   uint64_t *rows);

    /* The full, direct evaluation of all axioms (flags and atomicity
     * included), from nothing but events, po, rf and co; slow. True:
     * consistent (flags do not count). Else fills `why`, if not NULL. */
    bool (*judge)(const struct model *m, const struct graph *g,
                  struct broken *why);
    /* How many axioms does the graph break? By the same evaluation. */
    uint32_t (*count_broken)(const struct model *m, const struct graph *g);
    void (*release)(struct model *m);
};

/* Loads the model of that name, or from that file; see models/model_load.h. */
typedef bool model_loader(struct model *m, const char *name_or_path,
                          struct err *err);

#endif
