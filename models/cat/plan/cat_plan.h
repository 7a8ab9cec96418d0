/* How each check of a model is done when one event is added: the fast form of
 * a compiled cat file. See cat_checker.c for how it is run.
 *
 * A check is done in one of these ways:
 *  - not at all, when a new event cannot break it: `acyclic po | rf`, since po
 *    and rf lead to the new event only; or when the explorer sees to it:
 *    atomicity of read-modify-writes (core/model.h);
 *  - not at all, when the new event is on no cycle of po, rf, co and fr and all
 *    axioms forbid only such (cat_sc.h);
 *  - as a search for a closed walk through the new event (struct cat_search, or
 *    if it is simple enough struct cat_meet); if it has others behind it in its
 *    thread, through these too;
 *  - by the pairs of a frozen relation that the new event is in;
 *  - by the full evaluator, if nothing else fits; only at the end if it may
 *    fail now and hold later. */
#ifndef MODELS_CAT_PLAN_H
#define MODELS_CAT_PLAN_H

#include "models/cat/plan/cat_compile.h"
#include "models/cat/plan/cat_rel.h"

/* A relation whose predecessor rows the graph keeps: the union of its parts, or
 * the closure of that. The rows of the variables of a `let rec` follow each
 * other and are solved together. */
struct cat_row {
    rel_id node;
    uint32_t first, n; /* in parts */
    bool closed;
    bool with_po; /* closed, and po is among the parts: the row of the event
                     before in po is in it */
    uint16_t n_solved;            /* the first of so many variables, or 0 */
    uint32_t first_rule, n_rules; /* of these variables, sorted by `by` */
    bool open; /* these have parts that are open and without a rule */
};

struct cat_part {
    rel_id node;
    uint32_t range;   /* set of events that it leads to */
    bool open;        /* made of variables that are solved together with it */
    bool ruled;       /* open, and a rule stands for it */
    int16_t row;      /* it is [from];row, for events in range; -1: it is not */
    uint32_t from;    /* or UINT32_MAX: all events */
    uint32_t dynamic; /* it is dynamic[dynamic - 1]; 0: none */
};

/* A part of variable `to` that is the variable `by`, or the row `left` followed
 * by it: what `by` leads from at e, or what leads there by `left`. If `closed`,
 * what this rule brings brings nothing else: `to`, `left` and `by` are one, and
 * for each rule left;by that is in `left` too. */
struct cat_rule {
    uint16_t to, by; /* rows of the graph; so is left */
    uint16_t left;   /* or 0 */
    bool closed;
};

/* A relation that rows are made of and that asks what reads take from other
 * threads. */
struct cat_dynamic {
    rel_id node;
    uint32_t range;
    bool through_rfe; /* leads to a read by way of its source, which is in
                         another thread */
    bool in_po_loc;   /* leads from an access to the location before it in po */
    rel_id eco; /* both, and it is all of (eco; rfe) & po-loc, where eco is
                   REL_OP_FR or REL_OP_CO; REL_NONE: it is not */
    enum event_tag from; /* which has this tag; TAG_COUNT: any */
};

/* A step of the automaton: an event in state `from` that `letter` relates to
 * one in state `to`; without letter the same event, if it is in the set. */
enum cat_edge_kind {
    EDGE_LETTER,
    EDGE_SAME,
    EDGE_ROW,
    EDGE_RFE,
    EDGE_CLOSED, /* a row of a transitive relation */
};
struct cat_edge {
    uint16_t from, to;
    rel_id letter; /* or REL_NONE */
    uint32_t set;  /* or UINT32_MAX: any event */
    uint16_t kind; /* of the letter, where the step is simple */
    uint16_t row;  /* of the graph, which has all that leads to an event */
};

/* An edge on which a walk may leave the new event; if `behind`, only when that
 * has others behind it in its thread. */
struct cat_out {
    uint16_t from, to;
    bool behind;
    rel_id letter;
    uint64_t required; /* a walk through `from` needs events of each tag */
};

/* The relation of a check as an automaton over frozen letters. A walk leads
 * through pairs (event, state); the check fails if a walk comes back to where
 * it started after it went from the final state to the first (once for
 * irreflexive, any number of times for acyclic). If need be there are two
 * layers of states, before and after that; walks are searched backwards from
 * the second. */
struct cat_search {
    uint32_t check;    /* index in code->checks */
    bool own;          /* all letters are REL_OWN */
    bool lasts;        /* see cat_checker_refuses_earlier */
    uint64_t required; /* no walk without events of each of these tags */
    uint16_t n_states;
    uint32_t first_edge, n_edges; /* sorted by `to`, loops first */
    uint32_t first_into; /* into[first_into + q]: first edge to state q; one
                            more entry ends the last */
    uint32_t first_out, n_outs; /* sorted by `from` */
};

/* The simplest search: what leads to e, and what is left from e by the only
 * letter that leads away, must have no event in common. */
struct cat_meet {
    uint32_t check;
    bool behind; /* as in struct cat_out */
    bool own;    /* both relations are REL_OWN */
    uint64_t required;
    rel_id back, forward;
    uint32_t set; /* e must be in it */
};

/* An acyclic relation of complete graphs (cat_final.h). */
struct cat_final {
    uint32_t check;
    uint64_t required;
    rel_id node;
    uint32_t range; /* set of events that it leads to */
    bool within_sc; /* part of (po | rf | co | fr)+ */
};

struct cat_pairs {
    uint32_t check;
    uint64_t required;
    rel_id node;
    uint32_t range, domain; /* sets that e must be in, to be at its end */
};

struct cat_plan {
    struct cat_rels rels;
    struct cat_row *rows;
    uint32_t n_rows, rows_cap;
    /* The explorer and flags look at the first rows; the others wait until a
     * search needs them (graph.raw), which for most events is never. */
    uint32_t n_eager;
    struct cat_part *parts;
    uint32_t n_parts, parts_cap;
    struct cat_rule *rules;
    uint32_t n_rules, rules_cap;
    uint32_t solved; /* the most variables that are solved together */
    struct cat_meet *meets;
    uint32_t n_meets, meets_cap;
    struct cat_edge *edges; /* of all searches */
    uint32_t n_edges, edges_cap;
    uint32_t *into;
    uint32_t n_into, into_cap;
    struct cat_out *outs;
    uint32_t n_outs, outs_cap;
    struct cat_search *searches;
    uint32_t n_searches, searches_cap;
    struct cat_pairs *pairs; /* axioms of the form `empty` */
    uint32_t n_pairs, pairs_cap;
    struct cat_pairs *flags;
    uint32_t n_flags, flags_cap;
    struct cat_final *finals;
    uint32_t n_finals, finals_cap;
    /* Checks for the full evaluator; slow ones hold in graphs without events
     * of each of the tags required[i]. */
    uint32_t *slow, *final, *slow_flags;
    uint64_t *required;
    uint32_t required_cap;
    uint32_t n_slow, slow_cap, n_final, final_cap, n_slow_flags, slow_flags_cap;

    /* What the rows depend on besides the labels of their thread, and what it
     * reads from itself; `remembers` if that is known (cat_memo.h). */
    struct cat_dynamic *dynamic;
    uint32_t n_dynamic, dynamic_cap;
    uint32_t
        n_deps; /* of the rows from ROW_ADDR on, those that are asked for */
    bool remembers;

    bool late; /* with nothing eco-after the new event all searches and pairs
                  hold */
    bool within_sc;  /* so they do where sequential consistency does */
    bool own;        /* all searches and meets are made of REL_OWN */
    uint32_t depth;  /* of the deepest relation */
    uint32_t states; /* of the largest automaton */
    int hb_row;      /* as in struct model */
    int coherence_row;
    int cause_row;
    uint64_t stale_tags;
    bool acyclic_cause; /* some axiom says so in so many words */
    bool atomic_rmw;
};

/* For graphs that grow in order, or not (cat_rel.h). */
void cat_plan_init(struct cat_plan *plan, const struct cat_code *code,
                   bool in_order, bool coherent);
void cat_plan_release(struct cat_plan *plan);

/* Is it as it must be? For debug builds (cat_plan_check.c). */
bool cat_plan_check(const struct cat_plan *plan);

/* For cat_plan.c: turns irreflexive or acyclic `node` into a search, if its
 * letters allow that. */
bool cat_automaton(struct cat_plan *plan, uint32_t check, rel_id node,
                   bool acyclic);

#endif
