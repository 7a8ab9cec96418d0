/* For cat_plan.c: which relations the graph keeps as rows of predecessors, one
 * row for each event, and when these are made. */
#ifndef MODELS_CAT_ROWS_H
#define MODELS_CAT_ROWS_H

#include "models/cat/plan/cat_plan.h"

/* Operand i of a union, or the relation itself; returns how many there are. */
uint32_t cat_parts_of(const struct cat_rels *r, rel_id n, uint32_t i,
                      rel_id *part);

/* Keeps the rows of a relation in the graph, if it can. */
bool cat_keep_row(struct cat_plan *plan, rel_id n);

/* Gives rows to all closures in a relation, inner ones first. */
void cat_keep_closures(struct cat_plan *plan, rel_id n);

/* Keeps rows of what leads from an event to later ones of its thread, so that
 * each is one step in a search; gives back the relation made of these, or
 * (`closes`) one with the same closure. Only for graphs that do not grow in
 * order: else closures have rows. */
rel_id cat_keep_inner(struct cat_plan *plan, rel_id n, bool closes);

/* The rows of all recursive definitions that can be solved by rows. */
void cat_keep_solutions(struct cat_plan *plan);

/* Which row of the graph holds the relation's predecessors; -1: none. */
int cat_row_of(const struct cat_plan *plan, rel_id n);

/* For cat_rows_finish: their order, and how variables are solved. Only rows
 * that all wait are put in another order. */
void cat_order_rows(struct cat_plan *plan);

/* When all rows are there: which of them wait, and which are remembered. */
void cat_rows_finish(struct cat_plan *plan);

#endif
