#include "models/cat/plan/cat_compile.h"

#include "core/mem.h"
#include "models/cat/plan/cat_builtin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEPTH_MAX = 1000,      /* of the DAG */
    CALLS_MAX = 64,        /* functions being expanded at a time */
    STEPS_MAX = 20000000,  /* names looked at: bounds the time */
    BINDINGS_MAX = 200000, /* names ever bound, those of calls included */
    NODES_MAX = 100000,
    RECURSION_MAX = 2000, /* of compile_expr itself */
    PARAMETERS_MAX = 16,
    ENV_NONE = 0,
};

enum value_kind {
    VALUE_SET,
    VALUE_RELATION,
    VALUE_EMPTY,
    VALUE_FUNCTION,
    VALUE_PROCEDURE
};

struct value {
    enum value_kind kind;
    cat_id node;
    ast_id ast;   /* function, procedure: its AST_BIND, AST_FUN, ... */
    uint32_t env; /* and the names it sees */
};

/* A name; `next` leads to those defined before. Index 0 is the empty one. */
struct binding {
    const char *name;
    uint32_t length;
    uint32_t next;
    struct value value;
};

struct compiler {
    const struct cat_ast *ast;
    struct cat_code *code;
    struct err *err;
    struct binding *bindings;
    uint32_t n_bindings, bindings_cap;
    uint32_t env; /* names in scope */
    uint32_t calls, steps, recursion;
    bool unknown; /* the error is an unknown name: `try` goes on */
};

static bool compile_expr(struct compiler *c, ast_id at, struct value *out);
static bool compile_statements(struct compiler *c, ast_id first);

static bool too_large(const struct compiler *c, ast_id at, cat_id n)
{
    if (c->code->n > NODES_MAX)
        return !cat_error(c->ast, at, c->err, "the model is too large");
    if (c->code->nodes[n].depth > DEPTH_MAX)
        return !cat_error(c->ast, at, c->err, "definitions nest too deeply");
    return false;
}

static bool make(struct compiler *c, ast_id at, struct value *out,
                 enum cat_op op, cat_id a, cat_id b)
{
    bool set = out->kind == VALUE_SET;
    out->node = cat_node(c->code, op, set, a, b);
    return !too_large(c, at, out->node);
}

static bool make_relation(struct compiler *c, ast_id at, struct value *out,
                          enum cat_op op, cat_id a, cat_id b)
{
    out->kind = VALUE_RELATION;
    return make(c, at, out, op, a, b);
}

/* --- names ------------------------------------------------------------- */

static void bind(struct compiler *c, const char *name, uint32_t length,
                 struct value value)
{
    c->bindings = mem_room(c->bindings, c->n_bindings, &c->bindings_cap,
                           sizeof *c->bindings);
    c->bindings[c->n_bindings] = (struct binding){name, length, c->env, value};
    c->env = c->n_bindings++;
}

/* NULL: not there. */
static const struct value *lookup(struct compiler *c, const char *name,
                                  uint32_t length)
{
    for (uint32_t i = c->env; i != ENV_NONE; i = c->bindings[i].next) {
        c->steps++;
        const struct binding *b = &c->bindings[i];
        if (b->length == length && memcmp(b->name, name, length) == 0)
            return &b->value;
    }
    return NULL;
}

static bool unknown_name(struct compiler *c, ast_id at, const char *what)
{
    const struct ast_node *n = &c->ast->nodes[at];
    int length = n->length > 60 ? 60 : (int)n->length;
    c->unknown = true;
    const char *other = cat_builtin_unsupported(n->text, n->length);
    if (other)
        return cat_error(c->ast, at, c->err, "'%s' is not supported", other);

    struct cat_closest best = {0};
    for (uint32_t i = c->env; i != ENV_NONE; i = c->bindings[i].next)
        cat_closest_try(&best, n->text, n->length, c->bindings[i].name,
                        c->bindings[i].length);
    const char *name;
    for (uint32_t i = 0; (name = cat_builtin_name(i)); i++)
        cat_closest_try(&best, n->text, n->length, name,
                        (uint32_t)strlen(name));
    if (!best.name)
        return cat_error(c->ast, at, c->err, "unknown %s '%.*s'", what, length,
                         n->text);
    return cat_error(c->ast, at, c->err,
                     "unknown %s '%.*s'; did you mean '%.*s'?", what, length,
                     n->text, (int)best.length, best.name);
}

static bool compile_name(struct compiler *c, ast_id at, struct value *out)
{
    const struct ast_node *n = &c->ast->nodes[at];
    const struct value *v = lookup(c, n->text, n->length);
    if (v) {
        *out = *v;
        return true;
    }
    cat_id id = cat_builtin(c->code, n->text, n->length);
    if (id == CAT_NONE) {
        const char *kinds;
        if (cat_builtin_function(n->text, n->length, &kinds))
            return cat_error(c->ast, at, c->err, "'%.*s' needs an argument",
                             (int)n->length, n->text);
        return unknown_name(c, at, "name");
    }
    out->kind = c->code->nodes[id].set ? VALUE_SET : VALUE_RELATION;
    out->node = id;
    return true;
}

/* --- kinds ------------------------------------------------------------- */

static const char *kind_name(enum value_kind kind)
{
    switch (kind) {
    case VALUE_SET:
        return "a set";
    case VALUE_RELATION:
    case VALUE_EMPTY:
        return "a relation";
    case VALUE_FUNCTION:
        return "a function";
    case VALUE_PROCEDURE:
        return "a procedure";
    }
    return "";
}

/* Makes a value what the operator needs; `what` is as in "operator ';'". */
static bool need(struct compiler *c, ast_id at, struct value *v, bool set,
                 const char *what)
{
    if (v->kind == VALUE_EMPTY) {
        v->kind = set ? VALUE_SET : VALUE_RELATION;
        return make(c, at, v, CAT_EMPTY, CAT_NONE, CAT_NONE);
    }
    if (v->kind == (set ? VALUE_SET : VALUE_RELATION))
        return true;
    return cat_error(c->ast, at, c->err, "%s needs %s, got %s", what,
                     set ? "a set" : "a relation", kind_name(v->kind));
}

static bool compile_need(struct compiler *c, ast_id at, bool set,
                         const char *what, cat_id *out)
{
    struct value v = {0};
    if (!compile_expr(c, at, &v) || !need(c, at, &v, set, what))
        return false;
    *out = v.node;
    return true;
}

/* Gives two values one kind, set or relation. */
static bool unify(struct compiler *c, ast_id at, struct value *a,
                  struct value *b, const char *op)
{
    char what[40];
    snprintf(what, sizeof what, "operator '%s'", op);
    struct value *both[] = {a, b};
    for (int i = 0; i < 2; i++)
        if (both[i]->kind >= VALUE_FUNCTION)
            return cat_error(c->ast, at, c->err,
                             "%s needs sets or relations, got %s", what,
                             kind_name(both[i]->kind));
    if (a->kind == VALUE_EMPTY && b->kind == VALUE_EMPTY)
        return need(c, at, a, false, what) && need(c, at, b, false, what);
    if (a->kind == VALUE_EMPTY)
        return need(c, at, a, b->kind == VALUE_SET, what);
    if (b->kind == VALUE_EMPTY)
        return need(c, at, b, a->kind == VALUE_SET, what);
    if (a->kind == b->kind)
        return true;
    return cat_error(c->ast, at, c->err,
                     "%s needs two sets or two relations, got %s and %s", what,
                     kind_name(a->kind), kind_name(b->kind));
}

/* A least fixpoint exists only where the recursive names are used positively.
 */
static bool monotone(struct compiler *c, ast_id at, cat_id n, const char *op)
{
    if (c->code->nodes[n].group == 0)
        return true;
    return cat_error(c->ast, at, c->err,
                     "recursive definition is not monotone: "
                     "its name is used under '%s'",
                     op);
}

/* --- expressions ------------------------------------------------------- */

static bool compile_binary(struct compiler *c, ast_id at, enum cat_op op,
                           const char *text, struct value *a, struct value *b)
{
    if (!unify(c, at, a, b, text))
        return false;
    if (op == CAT_DIFF && !monotone(c, at, b->node, "\\"))
        return false;
    return make(c, at, a, op, a->node, b->node);
}

static bool compile_union(struct compiler *c, ast_id at, struct value *out)
{
    ast_id item = c->ast->nodes[at].a;
    if (!compile_expr(c, item, out))
        return false;
    for (item = c->ast->nodes[item].next; item;
         item = c->ast->nodes[item].next) {
        struct value b = {0};
        if (!compile_expr(c, item, &b) ||
            !compile_binary(c, item, CAT_UNION, "|", out, &b))
            return false;
    }
    return true;
}

static bool compile_seq(struct compiler *c, ast_id at, struct value *out)
{
    ast_id item = c->ast->nodes[at].a;
    cat_id left, right;
    if (!compile_need(c, item, false, "operator ';'", &left))
        return false;
    out->kind = VALUE_RELATION;
    out->node = left;
    for (item = c->ast->nodes[item].next; item;
         item = c->ast->nodes[item].next) {
        if (!compile_need(c, item, false, "operator ';'", &right) ||
            !make_relation(c, item, out, CAT_SEQ, out->node, right))
            return false;
    }
    return true;
}

static bool compile_product(struct compiler *c, ast_id at, struct value *out)
{
    const struct ast_node *n = &c->ast->nodes[at];
    cat_id a, b;
    return compile_need(c, n->a, true, "product '*'", &a) &&
           compile_need(c, n->b, true, "product '*'", &b) &&
           make_relation(c, at, out, CAT_PRODUCT, a, b);
}

static bool compile_complement(struct compiler *c, ast_id at, struct value *out)
{
    if (!compile_expr(c, c->ast->nodes[at].a, out))
        return false;
    if (out->kind >= VALUE_FUNCTION)
        return cat_error(c->ast, at, c->err,
                         "operator '~' needs a set or a relation, got %s",
                         kind_name(out->kind));
    if (out->kind == VALUE_EMPTY && !need(c, at, out, false, ""))
        return false;
    return monotone(c, at, out->node, "~") &&
           make(c, at, out, CAT_COMPLEMENT, out->node, CAT_NONE);
}

static bool compile_unary(struct compiler *c, ast_id at, enum cat_op op,
                          const char *what, struct value *out)
{
    cat_id a;
    return compile_need(c, c->ast->nodes[at].a, op == CAT_TOID, what, &a) &&
           make_relation(c, at, out, op, a, CAT_NONE);
}

/* Runs in the scope `env` and comes back to the present one. */
static bool in_scope(struct compiler *c, uint32_t env, ast_id parameters,
                     const struct value *arguments, ast_id body,
                     struct value *out)
{
    uint32_t saved = c->env;
    c->env = env;
    for (ast_id p = parameters; p; p = c->ast->nodes[p].next)
        bind(c, c->ast->nodes[p].text, c->ast->nodes[p].length, *arguments++);
    bool ok = out ? compile_expr(c, body, out) : compile_statements(c, body);
    c->env = saved;
    return ok;
}

static uint32_t list_length(const struct cat_ast *ast, ast_id first)
{
    uint32_t n = 0;
    for (; first; first = ast->nodes[first].next)
        n++;
    return n;
}

static bool compile_arguments(struct compiler *c, ast_id at, uint32_t wanted,
                              struct value *out)
{
    const struct ast_node *n = &c->ast->nodes[at];
    uint32_t given = list_length(c->ast, n->a);
    if (given != wanted)
        return cat_error(c->ast, at, c->err,
                         "'%.*s' takes %u argument%s, got %u", (int)n->length,
                         n->text, wanted, wanted == 1 ? "" : "s", given);
    if (wanted > PARAMETERS_MAX)
        return cat_error(c->ast, at, c->err, "too many arguments");
    for (ast_id i = n->a; i; i = c->ast->nodes[i].next)
        if (!compile_expr(c, i, out++))
            return false;
    return true;
}

static bool compile_builtin_call(struct compiler *c, ast_id at,
                                 const char *kinds, struct value *out)
{
    const struct ast_node *n = &c->ast->nodes[at];
    struct value arguments[PARAMETERS_MAX] = {0};
    cat_id ids[2];
    uint32_t wanted = (uint32_t)strlen(kinds);
    if (!compile_arguments(c, at, wanted, arguments))
        return false;
    char what[40];
    snprintf(what, sizeof what, "function '%.*s'", (int)n->length, n->text);
    for (uint32_t i = 0; i < wanted; i++) {
        if (!need(c, at, &arguments[i], kinds[i] == 's', what))
            return false;
        ids[i] = arguments[i].node;
    }
    out->node = cat_builtin_apply(c->code, n->text, n->length, ids);
    out->kind = c->code->nodes[out->node].set ? VALUE_SET : VALUE_RELATION;
    return !too_large(c, at, out->node);
}

/* A function (out != NULL) or a procedure, expanded. */
static bool compile_call(struct compiler *c, ast_id at, struct value *out)
{
    const struct ast_node *n = &c->ast->nodes[at];
    const struct value *found = lookup(c, n->text, n->length);
    const char *kinds;
    if (!found && out && cat_builtin_function(n->text, n->length, &kinds))
        return compile_builtin_call(c, at, kinds, out);
    if (!found && cat_builtin(c->code, n->text, n->length) == CAT_NONE)
        return unknown_name(c, at, out ? "function" : "procedure");
    enum value_kind wanted = out ? VALUE_FUNCTION : VALUE_PROCEDURE;
    if (!found || found->kind != wanted)
        return cat_error(c->ast, at, c->err, "'%.*s' is not %s", (int)n->length,
                         n->text, kind_name(wanted));
    struct value callee = *found; /* bindings may move */
    const struct ast_node *definition = &c->ast->nodes[callee.ast];
    struct value arguments[PARAMETERS_MAX] = {0};
    if (c->calls >= CALLS_MAX)
        return cat_error(c->ast, at, c->err, "calls nest too deeply");
    c->calls++;
    bool ok =
        compile_arguments(c, at, list_length(c->ast, definition->a),
                          arguments) &&
        in_scope(c, callee.env, definition->a, arguments, definition->b, out);
    c->calls--;
    return ok;
}

static bool compile_try(struct compiler *c, ast_id at, struct value *out)
{
    const struct ast_node *n = &c->ast->nodes[at];
    struct compiler saved = *c;
    struct cat_code before = *c->code;
    struct err hidden = {0};
    c->err = &hidden;
    c->unknown = false;
    bool ok = compile_expr(c, n->a, out);
    bool unknown = c->unknown;
    c->err = saved.err;
    c->unknown = saved.unknown;
    if (ok)
        return true;
    c->code->needs_deps = before.needs_deps;
    c->code->orders_picks = before.orders_picks;
    if (!unknown) {
        *c->err = hidden;
        return false;
    }
    c->env = saved.env;
    c->calls = saved.calls;
    c->recursion = saved.recursion;
    return compile_expr(c, n->b, out);
}

static void name_node(struct compiler *c, const struct ast_node *bind_node,
                      struct value v)
{
    if (v.kind > VALUE_RELATION || c->code->nodes[v.node].name)
        return;
    c->code->nodes[v.node].name =
        cat_keep_string(c->code, bind_node->text, bind_node->length);
}

static bool compile_bind_value(struct compiler *c, ast_id at, struct value *out)
{
    const struct ast_node *n = &c->ast->nodes[at];
    if (n->flag) {
        *out = (struct value){VALUE_FUNCTION, CAT_NONE, at, c->env};
        return true;
    }
    return compile_expr(c, n->b, out);
}

/* let a = x and b = y: the values see none of the new names. */
static bool compile_plain_let(struct compiler *c, ast_id first)
{
    uint32_t outer = c->env, inner = c->env;
    for (ast_id i = first; i; i = c->ast->nodes[i].next) {
        const struct ast_node *n = &c->ast->nodes[i];
        struct value v = {0};
        c->env = outer;
        if (!compile_bind_value(c, i, &v))
            return false;
        name_node(c, n, v);
        c->env = inner;
        bind(c, n->text, n->length, v);
        inner = c->env;
    }
    return true;
}

/* Compiles the bodies of the open group into code->bodies. */
static bool compile_bodies(struct compiler *c, ast_id first, uint32_t group,
                           bool *recursive)
{
    uint32_t index = 0;
    for (ast_id i = first; i; i = c->ast->nodes[i].next, index++) {
        cat_id body;
        if (!compile_need(c, c->ast->nodes[i].b, false, "'let rec'", &body))
            return false;
        uint32_t depends = c->code->nodes[body].group;
        if (depends && depends != group + 1)
            return cat_error(c->ast, i, c->err,
                             "a 'let rec' that uses the names of an outer one "
                             "is not supported");
        if (depends)
            *recursive = true;
        c->code->bodies[c->code->groups[group].first + index] = body;
    }
    return true;
}

static bool compile_rec(struct compiler *c, ast_id first)
{
    struct cat_code *code = c->code;
    uint32_t outer = c->env, group = code->n_groups;
    for (ast_id i = first; i; i = c->ast->nodes[i].next)
        if (c->ast->nodes[i].flag)
            return cat_error(c->ast, i, c->err,
                             "recursive functions are not supported");
    code->groups = mem_room(code->groups, code->n_groups, &code->groups_cap,
                            sizeof *code->groups);
    struct cat_group *g = &code->groups[code->n_groups++];
    *g = (struct cat_group){code->n_bodies, list_length(c->ast, first)};
    uint32_t n = g->n;
    code->n_bodies += n;
    code->bodies = mem_room(code->bodies, code->n_bodies, &code->bodies_cap,
                            sizeof *code->bodies);
    uint32_t index = 0;
    for (ast_id i = first; i; i = c->ast->nodes[i].next, index++) {
        const struct ast_node *b = &c->ast->nodes[i];
        cat_id variable = cat_node(code, CAT_VARIABLE, false, group, index);
        code->bodies[code->groups[group].first + index] = variable;
        bind(c, b->text, b->length,
             (struct value){VALUE_RELATION, variable, 0, 0});
    }
    bool recursive = false;
    if (!compile_bodies(c, first, group, &recursive))
        return false;
    c->env = outer;
    index = 0;
    for (ast_id i = first; i; i = c->ast->nodes[i].next, index++) {
        const struct ast_node *b = &c->ast->nodes[i];
        struct value v = {VALUE_RELATION, CAT_NONE, 0, 0};
        v.node = recursive ? cat_node(code, CAT_FIX, false, group, index)
                           : code->bodies[code->groups[group].first + index];
        name_node(c, b, v);
        bind(c, b->text, b->length, v);
    }
    return true;
}

static bool compile_let_in(struct compiler *c, ast_id at, struct value *out)
{
    const struct ast_node *n = &c->ast->nodes[at];
    uint32_t saved = c->env;
    bool ok = n->flag ? compile_rec(c, n->a) : compile_plain_let(c, n->a);
    ok = ok && compile_expr(c, n->b, out);
    c->env = saved;
    return ok;
}

static bool dispatch(struct compiler *c, ast_id at, struct value *out)
{
    const struct ast_node *n = &c->ast->nodes[at];
    struct value b = {0};
    switch ((enum ast_kind)n->kind) {
    case AST_NAME:
        return compile_name(c, at, out);
    case AST_ZERO:
        *out = (struct value){VALUE_EMPTY, CAT_NONE, 0, 0};
        return true;
    case AST_UNION:
        return compile_union(c, at, out);
    case AST_SEQ:
        return compile_seq(c, at, out);
    case AST_INTER:
    case AST_DIFF:
        return compile_expr(c, n->a, out) && compile_expr(c, n->b, &b) &&
               compile_binary(c, at,
                              n->kind == AST_INTER ? CAT_INTER : CAT_DIFF,
                              n->kind == AST_INTER ? "&" : "\\", out, &b);
    case AST_PRODUCT:
        return compile_product(c, at, out);
    case AST_COMPLEMENT:
        return compile_complement(c, at, out);
    case AST_INVERSE:
        return compile_unary(c, at, CAT_INVERSE, "operator '^-1'", out);
    case AST_PLUS:
        return compile_unary(c, at, CAT_PLUS, "operator '+'", out);
    case AST_STAR:
        return compile_unary(c, at, CAT_STAR, "operator '*'", out);
    case AST_OPT:
        return compile_unary(c, at, CAT_OPT, "operator '?'", out);
    case AST_TOID:
        return compile_unary(c, at, CAT_TOID, "'[...]'", out);
    case AST_APPLY:
        return compile_call(c, at, out);
    case AST_TRY:
        return compile_try(c, at, out);
    case AST_LET:
        return compile_let_in(c, at, out);
    case AST_FUN:
        *out = (struct value){VALUE_FUNCTION, CAT_NONE, at, c->env};
        return true;
    case AST_NONE:
    case AST_DEFINE:
    case AST_BIND:
    case AST_CHECK:
    case AST_PROCEDURE:
    case AST_CALL:
        break;
    }
    return err_set(c->err, ERR_INTERNAL, "not an expression");
}

static bool compile_expr(struct compiler *c, ast_id at, struct value *out)
{
    if (c->recursion >= RECURSION_MAX)
        return cat_error(c->ast, at, c->err, "calls nest too deeply");
    if (++c->steps > STEPS_MAX || c->n_bindings > BINDINGS_MAX)
        return cat_error(c->ast, at, c->err, "the model is too large");
    c->recursion++;
    *out = (struct value){VALUE_EMPTY, CAT_NONE, 0, 0};
    bool ok = dispatch(c, at, out);
    c->recursion--;
    return ok;
}

/* --- statements -------------------------------------------------------- */

static bool compile_check(struct compiler *c, ast_id at)
{
    static const char *const texts[] = {"'acyclic'", "'irreflexive'",
                                        "'empty'"};
    const struct ast_node *n = &c->ast->nodes[at];
    struct value v = {0};
    if (!compile_expr(c, n->a, &v))
        return false;
    if (n->check == CHECK_EMPTY && v.kind == VALUE_SET &&
        !make_relation(c, at, &v, CAT_TOID, v.node, CAT_NONE))
        return false;
    if (!need(c, n->a, &v, false, texts[n->check]))
        return false;
    if (n->role == CHECK_ASSERT)
        return true;
    char fallback[32];
    const char *name = n->text;
    uint32_t length = n->length;
    if (!name) {
        snprintf(fallback, sizeof fallback, "line-%u", n->line);
        name = fallback;
        length = (uint32_t)strlen(fallback);
    }
    struct cat_code *code = c->code;
    code->checks = mem_room(code->checks, code->n_checks, &code->checks_cap,
                            sizeof *code->checks);
    code->checks[code->n_checks++] = (struct cat_check){
        .kind = (enum check_kind)n->check,
        .role = (enum check_role)n->role,
        .negated = n->negated,
        .final = n->final,
        .node = v.node,
        .name = cat_keep_string(code, name, length),
        .line = n->line,
    };
    return true;
}

static bool compile_statements(struct compiler *c, ast_id first)
{
    bool ok = true;
    for (ast_id i = first; i && ok; i = c->ast->nodes[i].next) {
        const struct ast_node *n = &c->ast->nodes[i];
        if (++c->steps > STEPS_MAX)
            return cat_error(c->ast, i, c->err, "the model is too large");
        if (n->kind == AST_DEFINE)
            ok = n->flag ? compile_rec(c, n->a) : compile_plain_let(c, n->a);
        else if (n->kind == AST_CHECK)
            ok = compile_check(c, i);
        else if (n->kind == AST_CALL)
            ok = compile_call(c, i, NULL);
        else
            bind(c, n->text, n->length,
                 (struct value){VALUE_PROCEDURE, CAT_NONE, i, c->env});
    }
    return ok;
}

bool cat_compile(struct cat_code *code, const struct cat_ast *ast,
                 struct err *err)
{
    struct compiler c = {.ast = ast, .code = code, .err = err};
    bind(&c, "", 0, (struct value){VALUE_EMPTY, CAT_NONE, 0, 0});
    c.env = ENV_NONE;
    code->title = cat_keep_string(code, ast->title ? ast->title : "",
                                  ast->title ? ast->title_length : 0);
    code->hb = code->corder = CAT_NONE;
    bool ok = compile_statements(&c, ast->statements);
    const struct value *hb = ok ? lookup(&c, "hb", 2) : NULL;
    if (hb && hb->kind == VALUE_RELATION)
        code->hb = hb->node;
    const struct value *corder = ok ? lookup(&c, "corder", 6) : NULL;
    if (corder && corder->kind == VALUE_RELATION)
        code->corder = corder->node;
    free(c.bindings);
    return ok;
}
