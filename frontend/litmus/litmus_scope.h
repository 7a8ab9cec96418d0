/* Registers of C tests. To herd a register is one variable of its thread
 * wherever it is declared; to C a declaration in a block is another variable,
 * whose value is gone when the block ends. */
#ifndef FRONTEND_LITMUS_SCOPE_H
#define FRONTEND_LITMUS_SCOPE_H

#include "frontend/litmus/litmus.h"

#define LITMUS_TYPE_MAX 80

/* Words in comments are none of the code's. */
void litmus_blank_comments(char *body);

/* Makes assignments of the declarations of register `name` that stand in
 * blocks: their type goes to `type` ("": there are none) and becomes blanks in
 * `body`, a copy of the thread's. False: it is declared in a way that has to be
 * written otherwise. */
bool litmus_scope(const struct litmus_test *t, uint32_t thread,
                  const char *name, char *body, char type[LITMUS_TYPE_MAX],
                  struct err *err);

#endif
