/* Source lines and the names of variables' parts, from DWARF. */
#include "frontend/target/target.h"

#include "core/mem.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX      500 /* of types and blocks in each other */
#define DIMENSIONS_MAX 4

struct target_line {
    uint64_t addr;
    const char *file; /* libdw's; NULL: no code from here on */
    const char *unit; /* what was compiled; NULL: not known */
    uint32_t line, column;
};

struct target_variable {
    uint64_t addr;
    const char *name; /* libdw's */
    Dwarf_Off die;
    const char *function; /* that it is a variable of; NULL: none; "": one that
                             is not named */
    const char *file;     /* of the declaration; NULL: not known */
    int line;
    bool external;
};

/* ---- reading */

static int lines_by_address(const void *a, const void *b)
{
    const struct target_line *x = a, *y = b;
    if (x->addr != y->addr)
        return x->addr < y->addr ? -1 : 1;
    return (x->file != NULL) - (y->file != NULL); /* ends come first */
}

static int variables_by_address(const void *a, const void *b)
{
    const struct target_variable *x = a, *y = b;
    return x->addr < y->addr ? -1 : x->addr > y->addr;
}

/* The path as it was given to the compiler: relative to its folder. */
static const char *relative(const char *file, const char *folder)
{
    size_t n = folder ? strlen(folder) : 0;
    if (!file || !n || strncmp(file, folder, n) != 0 || file[n] != '/')
        return file;
    return file + n + 1;
}

static bool read_lines(struct target *t, Dwarf_Die *unit)
{
    Dwarf_Lines *lines;
    Dwarf_Attribute attribute;
    const char *folder = NULL;
    size_t n;
    if (!dwarf_hasattr(unit, DW_AT_stmt_list))
        return true;
    if (dwarf_attr(unit, DW_AT_comp_dir, &attribute))
        folder = dwarf_formstring(&attribute);
    if (dwarf_getsrclines(unit, &lines, &n) != 0)
        return false;
    for (size_t i = 0; i < n; i++) {
        Dwarf_Line *l = dwarf_onesrcline(lines, i);
        Dwarf_Addr addr = 0;
        int line = 0, column = 0;
        bool is_end = false;
        if (dwarf_lineaddr(l, &addr) != 0)
            continue;
        dwarf_lineno(l, &line);
        dwarf_linecol(l, &column);
        dwarf_lineendsequence(l, &is_end);
        t->lines =
            mem_room(t->lines, t->n_lines, &t->lines_cap, sizeof *t->lines);
        t->lines[t->n_lines++] = (struct target_line){
            .addr = addr,
            .file =
                is_end ? NULL : relative(dwarf_linesrc(l, NULL, NULL), folder),
            .unit = dwarf_diename(unit),
            .line = (uint32_t)line,
            .column = (uint32_t)column,
        };
    }
    return true;
}

/* Where it is declared. The unit's own file has number 0, for which libdw has
 * no name. */
static const char *file_of(Dwarf_Die *die)
{
    Dwarf_Die unit;
    const char *file = dwarf_decl_file(die);
    if (file)
        return file;
    return dwarf_diecu(die, &unit, NULL, NULL) ? dwarf_diename(&unit) : NULL;
}

static void read_variable(struct target *t, Dwarf_Die *die,
                          const char *function)
{
    Dwarf_Attribute attribute;
    Dwarf_Op *ops;
    size_t n;
    if (!dwarf_attr_integrate(die, DW_AT_location, &attribute) ||
        dwarf_getlocation(&attribute, &ops, &n) != 0 || n == 0)
        return;
    /* Globals that LLVM has merged are at an offset in what they became. */
    bool is_merged = n == 2 && ops[1].atom == DW_OP_plus_uconst;
    if (n != 1 && !is_merged)
        return;
    Dwarf_Addr addr = ops[0].number;
    if (ops[0].atom == DW_OP_addrx || ops[0].atom == DW_OP_GNU_addr_index) {
        Dwarf_Attribute result;
        if (dwarf_getlocation_attr(&attribute, ops, &result) != 0 ||
            dwarf_formaddr(&result, &addr) != 0)
            return;
    } else if (ops[0].atom != DW_OP_addr) {
        return;
    }
    const char *name = dwarf_diename(die);
    if (!name)
        return;
    t->variables = mem_room(t->variables, t->n_variables, &t->variables_cap,
                            sizeof *t->variables);
    struct target_variable v = {
        .addr = addr + (is_merged ? ops[1].number : 0),
        .name = name,
        .die = dwarf_dieoffset(die),
        .function = function,
        .file = file_of(die),
        .external = dwarf_hasattr_integrate(die, DW_AT_external)};
    dwarf_decl_line(die, &v.line);
    t->variables[t->n_variables++] = v;
}

static const char *name_or_empty(Dwarf_Die *die)
{
    const char *name = dwarf_diename(die);
    return name ? name : "";
}

/* The function that the scope is, or is in; NULL: none. Of one that is inlined
 * everywhere clang keeps the static variables, but not the name. */
static const char *function_of(Dwarf_Die *scope)
{
    Dwarf_Die *scopes = NULL;
    int tag = dwarf_tag(scope);
    if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine)
        return name_or_empty(scope);
    if (tag != DW_TAG_lexical_block)
        return NULL;
    const char *name = NULL;
    int n = dwarf_getscopes_die(scope, &scopes);
    for (int i = 0; i < n && !name; i++) {
        tag = dwarf_tag(&scopes[i]);
        if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine)
            name = name_or_empty(&scopes[i]);
    }
    free(scopes);
    return name;
}

/* Variables with an address, those of functions included. In a damaged file a
 * sibling may be a child at once: nothing is read twice. */
static bool read_variables(struct target *t, Dwarf_Die *parent,
                           Dwarf_Off *reached, unsigned depth)
{
    Dwarf_Die die;
    int rest = dwarf_child(parent, &die);
    const char *function = function_of(parent);
    for (; rest == 0; rest = dwarf_siblingof(&die, &die)) {
        int tag = dwarf_tag(&die);
        if (dwarf_dieoffset(&die) <= *reached || depth == DEPTH_MAX)
            return false;
        *reached = dwarf_dieoffset(&die);
        if (tag == DW_TAG_variable)
            read_variable(t, &die, function);
        else if ((tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block ||
                  tag == DW_TAG_inlined_subroutine) &&
                 !read_variables(t, &die, reached, depth + 1))
            return false;
    }
    return rest > 0;
}

static bool is_same(const char *a, const char *b)
{
    return (!a || !b) ? a == b : strcmp(a, b) == 0;
}

static bool is_same_file(const char *a, const char *b)
{
    const char *slash_a = a ? strrchr(a, '/') : NULL;
    const char *slash_b = b ? strrchr(b, '/') : NULL;
    return is_same(slash_a ? slash_a + 1 : a, slash_b ? slash_b + 1 : b);
}

/* How well the variable fits the declaration; 0: not at all. A declaration may
 * be repeated, on another line or in another file. */
static int fits(const struct target_variable *v,
                const struct target_declaration *d)
{
    bool is_unnamed = v->function && !*v->function && d->function;
    if (strcmp(v->name, d->name) != 0 || v->external != d->external ||
        (!is_unnamed && !is_same(v->function, d->function)))
        return 0;
    if (is_unnamed &&
        (!is_same_file(v->file, d->file) || (uint32_t)v->line != d->line))
        return 0;
    if (v->external)
        return 4;
    return 1 + 2 * is_same_file(v->file, d->file) +
           ((uint32_t)v->line == d->line);
}

/* How many that fit as well stand before it. */
static uint32_t rank_of(const struct target *t,
                        const struct target_declaration *d, uint32_t variable)
{
    const struct target_variable *v = &t->variables[variable];
    uint32_t rank = 0;
    for (uint32_t i = 0; i < t->n_variables; i++)
        rank += t->variables[i].die < v->die &&
                t->variables[i].addr != v->addr &&
                fits(&t->variables[i], d) == fits(v, d);
    return rank;
}

bool target_find_variable(const struct target *t,
                          const struct target_declaration *d, uint64_t *addr)
{
    int best = 0;
    for (uint32_t i = 0; i < t->n_variables; i++) {
        int n = fits(&t->variables[i], d);
        best = n > best ? n : best;
    }
    for (uint32_t i = 0; best > 0 && i < t->n_variables; i++)
        if (fits(&t->variables[i], d) == best && rank_of(t, d, i) == d->nth) {
            *addr = t->variables[i].addr;
            return true;
        }
    return d->external && target_find(t, d->name, false, addr);
}

/* ---- names */

static bool type_of(Dwarf_Die *die, Dwarf_Die *type)
{
    Dwarf_Attribute attribute;
    if (!dwarf_attr_integrate(die, DW_AT_type, &attribute) ||
        !dwarf_formref_die(&attribute, type))
        return false;
    return dwarf_peel_type(type, type) == 0;
}

static void append(char *buf, size_t cap, const char *text, uint64_t n,
                   const char *after)
{
    size_t k = strlen(buf);
    if (k < cap)
        snprintf(buf + k, cap - k, "%s%" PRIu64 "%s", text, n, after);
}

/* The member of a struct that holds byte *offset, which becomes an offset in
 * it. */
static bool find_member(Dwarf_Die *type, uint64_t *offset, Dwarf_Die *member)
{
    Dwarf_Die die;
    if (dwarf_child(type, &die) != 0)
        return false;
    do {
        Dwarf_Attribute attribute;
        Dwarf_Word at = 0, bytes = 0;
        Dwarf_Die member_type;
        if (dwarf_tag(&die) != DW_TAG_member)
            continue;
        if (dwarf_attr(&die, DW_AT_data_member_location, &attribute))
            dwarf_formudata(&attribute, &at);
        if (!type_of(&die, &member_type) ||
            dwarf_aggregate_size(&member_type, &bytes) != 0)
            continue;
        if (*offset >= at && *offset - at < bytes) {
            *offset -= at;
            *member = die;
            return true;
        }
    } while (dwarf_siblingof(&die, &die) == 0);
    return false;
}

/* Bytes of an element of an array type, its inner dimensions included, and the
 * number of dimensions. */
static uint64_t dimensions(Dwarf_Die *type, uint64_t counts[DIMENSIONS_MAX],
                           unsigned *n)
{
    Dwarf_Die die, element;
    Dwarf_Word bytes = 0;
    *n = 0;
    if (!type_of(type, &element) ||
        dwarf_aggregate_size(&element, &bytes) != 0 || bytes == 0 ||
        dwarf_child(type, &die) != 0)
        return 0;
    do {
        Dwarf_Attribute attribute;
        Dwarf_Word count = 0;
        if (dwarf_tag(&die) != DW_TAG_subrange_type || *n == DIMENSIONS_MAX)
            continue;
        if (dwarf_attr(&die, DW_AT_count, &attribute))
            dwarf_formudata(&attribute, &count);
        else if (dwarf_attr(&die, DW_AT_upper_bound, &attribute) &&
                 dwarf_formudata(&attribute, &count) == 0)
            count++;
        counts[(*n)++] = count;
    } while (dwarf_siblingof(&die, &die) == 0);
    return bytes;
}

/* Appends the indices of the element that holds byte *offset, which becomes an
 * offset in it; false: not known. */
static bool append_indices(Dwarf_Die *type, uint64_t *offset, char *buf,
                           size_t cap)
{
    uint64_t counts[DIMENSIONS_MAX], strides[DIMENSIONS_MAX];
    unsigned n;
    uint64_t bytes = dimensions(type, counts, &n);
    for (unsigned i = n; i-- > 0;) {
        if (bytes == 0)
            return false;
        strides[i] = bytes;
        if (i > 0 && __builtin_mul_overflow(bytes, counts[i], &bytes))
            return false;
    }
    for (unsigned i = 0; i < n; i++) {
        append(buf, cap, "[", *offset / strides[i], "]");
        *offset %= strides[i];
    }
    return n > 0;
}

static void append_part(Dwarf_Die *die, uint64_t offset, char *buf, size_t cap)
{
    Dwarf_Die type, member;
    bool go_on = type_of(die, &type);
    for (unsigned depth = 0; go_on && depth < DEPTH_MAX; depth++) {
        int tag = dwarf_tag(&type);
        if (tag == DW_TAG_array_type) {
            go_on = append_indices(&type, &offset, buf, cap) &&
                    type_of(&type, &type);
        } else if (tag == DW_TAG_structure_type || tag == DW_TAG_union_type) {
            go_on = find_member(&type, &offset, &member);
            const char *name = go_on ? dwarf_diename(&member) : NULL;
            size_t k = strlen(buf);
            if (name && k < cap)
                snprintf(buf + k, cap - k, ".%s", name);
            go_on = go_on && type_of(&member, &type);
        } else {
            break;
        }
    }
    if (offset)
        append(buf, cap, "+", offset, "");
}

/* The last of the sorted items at or below addr; n if there is none. */
#define LAST_BELOW(items, n, address, out)                \
    do {                                                  \
        uint32_t low_ = 0, high_ = (n);                   \
        while (low_ < high_) {                            \
            uint32_t middle_ = low_ + (high_ - low_) / 2; \
            if ((items)[middle_].addr <= (address))       \
                low_ = middle_ + 1;                       \
            else                                          \
                high_ = middle_;                          \
        }                                                 \
        (out) = low_ ? low_ - 1 : (n);                    \
    } while (0)

static bool find_position(const void *self, uint64_t pc,
                          struct machine_position *out)
{
    const struct target *t = self;
    uint64_t start;
    *out = (struct machine_position){0};
    out->function = target_symbol_at(t, pc, true, &start);
    uint32_t i;
    LAST_BELOW(t->lines, t->n_lines, pc, i);
    if (i < t->n_lines && t->lines[i].file) {
        out->file = t->lines[i].file;
        out->line = t->lines[i].line;
        out->column = t->lines[i].column;
    }
    return out->file || out->function;
}

bool target_function_name(const struct target *t, uint64_t addr, char *buf,
                          size_t cap)
{
    bool is_one_of_many;
    size_t n;
    const char *name = target_function_at(t, addr, &n, &is_one_of_many);
    if (!name)
        return false;
    snprintf(buf, cap, "%.*s", (int)n, name);
    uint32_t i;
    LAST_BELOW(t->lines, t->n_lines, addr, i);
    if (!is_one_of_many || i == t->n_lines || !t->lines[i].unit)
        return true;
    /* GCC makes one unit of all when it optimises at link time. */
    const char *unit = t->lines[i].unit, *slash;
    if (strcmp(unit, "<artificial>") == 0 && t->lines[i].file)
        unit = t->lines[i].file;
    slash = strrchr(unit, '/');
    snprintf(buf, cap, "%.*s@%s", (int)n, name, slash ? slash + 1 : unit);
    return true;
}

static bool find_name(const void *self, uint64_t addr, bool tls, char *buf,
                      size_t cap)
{
    const struct target *t = self;
    uint64_t start = 0;
    if (tls)
        return false;
    const char *symbol = target_symbol_at(t, addr, false, &start);
    uint32_t i;
    LAST_BELOW(t->variables, t->n_variables, addr, i);
    Dwarf_Die die;
    if (symbol && i < t->n_variables && t->variables[i].addr == start &&
        dwarf_offdie(t->dwarf, t->variables[i].die, &die)) {
        snprintf(buf, cap, "%s", t->variables[i].name);
        append_part(&die, addr - start, buf, cap);
        return true;
    }
    if (!symbol)
        return target_function_name(t, addr, buf, cap);
    snprintf(buf, cap, "%s", symbol);
    if (addr != start)
        append(buf, cap, "+", addr - start, "");
    return true;
}

static bool read_unit(struct target *t, Dwarf_Die *die)
{
    Dwarf_Attribute attribute;
    const char *producer = NULL;
    Dwarf_Off reached = dwarf_dieoffset(die);
    if (dwarf_tag(die) != DW_TAG_compile_unit)
        return true;
    if (dwarf_attr(die, DW_AT_producer, &attribute))
        producer = dwarf_formstring(&attribute);
    if (producer && !t->compiler[0])
        snprintf(t->compiler, sizeof t->compiler, "%s", producer);
    return read_lines(t, die) && read_variables(t, die, &reached, 0);
}

bool target_read_dwarf(struct target *t, struct err *err)
{
    t->image.self = t;
    t->image.find = find_position;
    t->image.name = find_name;
    t->dwarf = dwarf_begin_elf(t->elf, DWARF_C_READ, NULL);
    if (!t->dwarf)
        return true;
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;
    int rest = 0;
    while (rest == 0) {
        rest = dwarf_get_units(t->dwarf, unit, &unit, NULL, NULL, &die, NULL);
        if (rest < 0 || (rest == 0 && !read_unit(t, &die)))
            return err_set(err, ERR_INPUT, "DWARF is damaged: %s",
                           dwarf_errmsg(-1));
    }
    if (t->n_lines)
        qsort(t->lines, t->n_lines, sizeof *t->lines, lines_by_address);
    if (t->n_variables)
        qsort(t->variables, t->n_variables, sizeof *t->variables,
              variables_by_address);
    return true;
}

void target_release_dwarf(struct target *t)
{
    if (t->dwarf)
        dwarf_end(t->dwarf);
    free(t->lines);
    free(t->variables);
    t->dwarf = NULL;
    t->lines = NULL;
    t->variables = NULL;
}
