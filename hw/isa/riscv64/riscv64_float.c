/* The F and D extensions. Arithmetic rounds as the register frm says unless the
 * instruction says it, and adds to fflags what went wrong. */
#include "hw/isa/riscv64/riscv64.h"

enum { DYNAMIC = 7 }; /* the rounding mode that is frm's */

/* A destination and up to three sources; the flags, and the rounding mode. */
struct operation {
    reg_id rd, rs[3];
    bool raises, rounds;
};

static bool add_operation(uint32_t w, struct effect *e,
                          const struct operation *o)
{
    uint32_t mode = rv_funct3(w);
    reg_id rounding = o->rounds && mode == DYNAMIC ? RV_FRM : REG_NONE;
    if (o->rounds && (mode == 5 || mode == 6))
        return false;
    struct effect_flow f = {.kind = FLOW_DATA, .dst = o->rd};
    for (int i = 0; i < 3; i++)
        rv_add(&f.srcs, o->rs[i]);
    rv_add(&f.srcs, rounding);
    if (o->rd != REG_NONE)
        e->flows[e->n_flows++] = f;
    if (o->raises) {
        f.kind = FLOW_MERGE;
        f.dst = RV_FFLAGS;
        e->flows[e->n_flows++] = f;
    }
    return true;
}

static bool is_supported(uint32_t w)
{
    return rv_bits(w, 26, 25) <= 1; /* single, double */
}

static bool fused(uint32_t w, struct effect *e)
{
    struct operation o = {
        .rd = rv_f(w, RV_RD),
        .rs = {rv_f(w, RV_RS1), rv_f(w, RV_RS2), rv_f(w, RV_RS3)},
        .raises = true,
        .rounds = true};
    return is_supported(w) && add_operation(w, e, &o);
}

/* Conversions and moves have one source, and a number in the place of the
 * other. */
static bool one_source(uint32_t w, struct effect *e, bool to_x, bool from_x)
{
    enum { CVT_TO_X = 0x18, CVT_FROM_X = 0x1a, MOVE_TO_X = 0x1c };
    uint32_t op = rv_bits(w, 31, 27), which = rv_bits(w, 24, 20);
    bool converts = op != MOVE_TO_X && op != MOVE_TO_X + 2;
    struct operation o = {
        .rd = to_x ? rv_x(w, RV_RD) : rv_f(w, RV_RD),
        .rs = {from_x ? rv_x(w, RV_RS1) : rv_f(w, RV_RS1), REG_NONE, REG_NONE},
        .raises = converts,
        .rounds = converts};
    if (op == CVT_TO_X || op == CVT_FROM_X) {
        if (which > 3)
            return false;
    } else if (!converts) {
        uint32_t form = rv_funct3(w); /* 1: fclass */
        if (which || form > (op == MOVE_TO_X))
            return false;
    }
    return add_operation(w, e, &o);
}

static bool operation(uint32_t w, struct effect *e)
{
    enum {
        ADD,
        DIV = 3,
        SIGN = 4,
        MIN_MAX = 5,
        CVT_F = 8,
        SQRT = 11,
        COMPARE = 20,
        CVT_TO_X = 24,
        CVT_FROM_X = 26,
        MOVE_TO_X = 28,
        MOVE_FROM_X = 30
    };
    uint32_t op = rv_bits(w, 31, 27), which = rv_bits(w, 24, 20);
    uint32_t form = rv_funct3(w);
    struct operation o = {.rd = op == COMPARE ? rv_x(w, RV_RD) : rv_f(w, RV_RD),
                          .rs = {rv_f(w, RV_RS1), rv_f(w, RV_RS2), REG_NONE},
                          .raises = op != SIGN,
                          .rounds = op <= DIV};
    switch (op) {
    case SIGN:
    case COMPARE:
        return form <= 2 && add_operation(w, e, &o);
    case MIN_MAX:
        return form <= 1 && add_operation(w, e, &o);
    case CVT_F: /* from the other of the two formats */
        return which == (rv_bits(w, 26, 25) ^ 1) && one_source(w, e, 0, 0);
    case SQRT:
        return which == 0 && one_source(w, e, false, false);
    case CVT_TO_X:
    case MOVE_TO_X:
        return one_source(w, e, true, false);
    case CVT_FROM_X:
    case MOVE_FROM_X:
        return one_source(w, e, false, true);
    default:
        return op <= DIV && add_operation(w, e, &o);
    }
}

bool rv_decode_float(uint32_t w, struct effect *e)
{
    enum {
        LOAD = 0x07,
        STORE = 0x27,
        MADD = 0x43,
        MSUB = 0x47,
        NMSUB = 0x4b,
        NMADD = 0x4f,
        OPERATION = 0x53
    };
    enum { SINGLE = 2, DOUBLE = 3 }; /* of accesses */
    uint32_t width = rv_funct3(w);
    switch (w & 0x7f) {
    case LOAD:
        rv_load(w, e, 1u << width, rv_f(w, RV_RD));
        return width == SINGLE || width == DOUBLE;
    case STORE:
        rv_store(w, e, 1u << width, rv_f(w, RV_RS2));
        return width == SINGLE || width == DOUBLE;
    case MADD:
    case MSUB:
    case NMSUB:
    case NMADD:
        return fused(w, e);
    case OPERATION:
        return is_supported(w) && operation(w, e);
    default:
        return false;
    }
}
