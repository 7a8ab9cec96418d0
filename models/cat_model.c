#include "models/cat_model.h"

#include "core/mem.h"
#include "models/cat_eval.h"

#include <stdlib.h>
#include <string.h>

struct cat_model {
    struct cat_code code;
    char *name;
};

static bool atomicity(const struct cat_code *code, const struct cat_check *c)
{
    const struct cat_node *n = &code->nodes[c->node];
    if (c->kind == CHECK_EMPTY && n->op == CAT_INTER)
        return code->nodes[n->a].op == CAT_RMW ||
               code->nodes[n->b].op == CAT_RMW;
    return false;
}

/* First check of that role with a result other than `good`; NULL: none. */
static const struct cat_check *judge_role(const struct cat_code *code,
                                          const struct graph *g,
                                          enum check_role role,
                                          bool incremental, struct broken *why)
{
    cat_id *roots = mem_resize(NULL, (code->n_checks + 1) * sizeof *roots);
    for (uint32_t i = 0; i < code->n_checks; i++)
        roots[i] = code->checks[i].node;
    struct cat_eval ev;
    cat_eval_init(&ev, code, g, roots, code->n_checks);
    const struct cat_check *found = NULL;
    for (uint32_t i = 0; i < code->n_checks && !found; i++) {
        const struct cat_check *c = &code->checks[i];
        if (c->role != role || (incremental && atomicity(code, c)))
            continue;
        if (cat_eval_check(&ev, c) != (role == CHECK_AXIOM))
            found = c;
    }
    if (found && why)
        cat_explain(&ev, found, why);
    cat_eval_release(&ev);
    free(roots);
    return found;
}

static void enter(const struct model *m, struct graph *g, event_id e)
{
    (void)m;
    (void)g;
    (void)e;
}

static bool check(const struct model *m, const struct graph *g, event_id e)
{
    const struct cat_model *self = m->self;
    (void)e;
    return !judge_role(&self->code, g, CHECK_AXIOM, true, NULL);
}

static bool flagged(const struct model *m, const struct graph *g, event_id e,
                    struct broken *why)
{
    const struct cat_model *self = m->self;
    (void)e;
    return judge_role(&self->code, g, CHECK_FLAG, true, why) != NULL;
}

static bool final(const struct model *m, const struct graph *g)
{
    (void)m;
    (void)g;
    return true;
}

static bool judge(const struct model *m, const struct graph *g,
                  struct broken *why)
{
    const struct cat_model *self = m->self;
    return !judge_role(&self->code, g, CHECK_AXIOM, false, why);
}

static void release(struct model *m)
{
    struct cat_model *self = m->self;
    cat_code_release(&self->code);
    free(self->name);
    free(self);
    *m = (struct model){0};
}

void cat_model_init(struct model *m, const char *name, struct cat_code *code)
{
    struct cat_model *self = mem_resize(NULL, sizeof *self);
    size_t bytes = strlen(name) + 1;
    self->code = *code;
    *code = (struct cat_code){0};
    self->name = memcpy(mem_resize(NULL, bytes), name, bytes);
    *m = (struct model){
        .name = self->name,
        .title = self->code.title,
        .hb_row = -1,
        .needs_deps = self->code.needs_deps,
        .acyclic_cause = true,
        .self = self,
        .enter = enter,
        .check = check,
        .flagged = flagged,
        .final = final,
        .judge = judge,
        .release = release,
    };
    for (uint32_t i = 0; i < self->code.n_checks; i++)
        if (self->code.checks[i].role == CHECK_FLAG)
            m->has_flags = true;
}
