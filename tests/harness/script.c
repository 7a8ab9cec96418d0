#include "tests/harness/script.h"

#include <string.h>

uint64_t script_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static unsigned below(uint64_t *seed, unsigned n)
{
    return (unsigned)(script_random(seed) % n);
}

#define T(tag) TAG_BIT(TAG_##tag)

/* Each C mode stands for marks of the machines as well, so that the same
 * programs try all models. */
static uint64_t machine_tags(uint64_t tags, bool fence)
{
    uint64_t out = tags;
    if (fence) {
        if (tags & T(ACQ))
            out |= T(DMB_LD) | T(ISYNC) | T(FENCE_R_RW);
        if (tags & T(REL))
            out |= T(DMB_ST) | T(EIEIO) | T(FENCE_RW_W);
        if (tags & T(ACQ_REL))
            out |= T(ISB) | T(LWSYNC) | T(FENCE_TSO);
        if (tags & T(SC))
            out |= T(DMB_SY) | T(SYNC) | T(MFENCE) | T(FENCE_RW_RW);
        return out;
    }
    if (tags & T(ACQ))
        out |= T(ARM_A) | T(RV_AQ);
    if (tags & T(REL))
        out |= T(ARM_L) | T(RV_RL);
    if (tags & T(SC))
        out |= T(ARM_A) | T(ARM_L) | T(RV_AQRL);
    if (tags & T(RMW))
        out |= T(X);
    return out;
}

static uint64_t load_mode(uint64_t *seed, bool atomics_only)
{
    static const uint64_t modes[] = {T(ATOMIC) | T(RLX), T(ATOMIC) | T(ACQ),
                                     T(ATOMIC) | T(SC), T(NA)};
    return modes[below(seed, atomics_only ? 3 : 4)];
}

static uint64_t store_mode(uint64_t *seed, bool atomics_only)
{
    static const uint64_t modes[] = {T(ATOMIC) | T(RLX), T(ATOMIC) | T(REL),
                                     T(ATOMIC) | T(SC), T(NA)};
    return modes[below(seed, atomics_only ? 3 : 4)];
}

static uint64_t fence_mode(uint64_t *seed)
{
    static const uint64_t modes[] = {T(ACQ), T(REL), T(ACQ_REL), T(SC)};
    return T(ATOMIC) | modes[below(seed, 4)];
}

/* The halves of an RMW get the halves of its order. It is one instruction, or
 * a pair. */
static void rmw_mode(struct script_insn *in, bool pairs, bool relaxed,
                     uint64_t *seed)
{
    unsigned order = below(seed, 5); /* rlx, acq, rel, acq_rel, sc */
    if (relaxed && below(seed, 2))
        order = 0;
    uint64_t read = order == 4 ? T(SC) : order & 1 ? T(ACQ) : T(RLX);
    uint64_t write = order == 4 ? T(SC) : order >= 2 ? T(REL) : T(RLX);
    uint64_t fail = below(seed, 2) ? T(RLX) : T(ACQ);
    uint64_t all = T(ATOMIC) | (pairs || below(seed, 2) ? T(EX) : 0);
    in->tags = all | T(RMW) | read;
    in->write_tags = all | T(RMW) | write;
    in->fail_tags = all | T(R) | fail;
}

#define HAS(flag) ((shape->flags & SHAPE_##flag) != 0)

static struct script_insn random_insn(const struct script *s,
                                      const struct script_shape *shape,
                                      int regs, uint64_t *seed)
{
    struct script_insn in = {.reg = regs,
                             .from =
                                 regs ? (int)below(seed, (unsigned)regs) : -1,
                             .addr = -1,
                             .loc = below(seed, s->n_locs),
                             .value = 1 + below(seed, 2),
                             .expected = below(seed, 3)};
    if (HAS(ADDR) && regs && below(seed, HAS(INDEX) ? 2 : 4) == 0)
        in.addr = (int)below(seed, (unsigned)regs);
    in.indexed = HAS(INDEX) && in.addr >= 0;
    unsigned dice = below(seed, HAS(RELAXED) && below(seed, 8) ? 12 : 20);
    if (HAS(FENCES) && below(seed, 4) == 0)
        dice = 16;
    if (HAS(UPDATES) && below(seed, HAS(RELAXED) ? 2 : 4))
        dice = 12 + below(seed, 3);
    if (HAS(SWAPS) && below(seed, 3) == 0)
        dice = 15;
    if (dice < 6) {
        in.op = OP_LOAD;
        in.tags = load_mode(seed, HAS(ATOMICS));
        if (HAS(PARTS) && below(seed, 3))
            in.tags |= TAG_BIT(below(seed, 2) ? TAG_LOW : TAG_HIGH);
    } else if (dice < 12 || (regs == 0 && dice >= 17)) {
        in.op = OP_STORE;
        in.tags = store_mode(seed, HAS(ATOMICS));
        if (below(seed, 2))
            in.from = -1;
        in.value = 1 + below(seed, HAS(RELAXED) ? 3 : 2);
    } else if (dice < 16) {
        in.op = dice < 14 ? OP_FADD : OP_CAS;
        rmw_mode(&in, HAS(PAIRS), HAS(RELAXED), seed);
        if (below(seed, 2))
            in.from = -1;
    } else if (dice < 17) {
        in.op = OP_FENCE;
        in.tags = fence_mode(seed);
    } else if (dice < 18)
        in.op = OP_SKIP;
    else if (dice < 19)
        in.op = OP_ASSUME;
    else {
        in.op = OP_CHOOSE;
        in.value = 2;
    }
    return in;
}

/* Turns a load and a later store of a thread, if it finds them, into a pair. */
static void make_pair(struct script *s, unsigned t, uint64_t *seed)
{
    struct script_insn *insns = s->insns[t], in = {0};
    unsigned n = s->n_insns[t], first = below(seed, n), last = below(seed, n);
    if (first >= last || insns[first].op != OP_LOAD ||
        insns[last].op != OP_STORE)
        return;
    rmw_mode(&in, true, false, seed);
    insns[first].op = OP_LL;
    insns[first].tags = in.tags;
    insns[last].op = OP_SC;
    insns[last].tags = in.write_tags;
    insns[last].loc = insns[first].loc;
}

/* A thread that loads first and stores last, and stays with a location between
 * that: what it reads of itself is then in cycles of po and rf. */
static void make_own(struct script_insn *in, const struct script *s, unsigned t,
                     unsigned i, int regs, uint64_t *seed)
{
    bool is_last = i + 1 == s->n_insns[t];
    if (i == 0 || is_last) {
        in->op = i == 0 ? OP_LOAD : OP_STORE;
        in->tags = T(ATOMIC) | T(RLX);
        in->addr = -1;
    }
    if (i > 0 && !is_last && below(seed, 3))
        in->loc = s->insns[t][i - 1].loc;
    if (regs > 0 && in->from >= 0 && below(seed, 2))
        in->from = regs - 1;
}

/* A thread that reads its own location first and writes the next one's last,
 * with updates of the last location between that. */
static void make_ring(struct script_insn *in, const struct script *s,
                      unsigned t, unsigned i, int regs, uint64_t *seed)
{
    bool is_last = i > 0 && i + 1 == s->n_insns[t];
    if (in->op != OP_LOAD && in->op != OP_STORE && in->op != OP_FADD)
        return;
    if (i == 0 && in->op == OP_STORE)
        in->op = OP_LOAD;
    if (is_last && in->op == OP_LOAD)
        in->op = OP_STORE;
    if (regs > 0 && below(seed, 2))
        in->from = regs - 1;
    if (below(seed, 4))
        in->loc = i == 0    ? t % s->n_locs
                  : is_last ? (t + 1) % s->n_locs
                            : s->n_locs - 1;
}

/* The first thread only reads the last location, which nothing but the last
 * instruction of the last thread writes. So the revisit of that read deletes
 * what all others did, but for what the write needs. */
static void make_served(struct script_insn *in, struct script *s, unsigned t,
                        unsigned i, int regs, uint64_t *seed)
{
    bool is_last = t + 1 == s->n_threads && i + 1 == s->n_insns[t];
    unsigned last = s->n_locs - 1;
    if (t == 0)
        s->n_insns[t] = 1;
    if (t == 0 || is_last) {
        bool depends = regs > 0 && below(seed, 4);
        *in = (struct script_insn){
            .op = t == 0 ? OP_LOAD : OP_STORE,
            .reg = regs,
            .from = depends ? (int)below(seed, (unsigned)regs) : -1,
            .addr = -1,
            .loc = last,
            .value = 1,
            .tags = T(ATOMIC) | T(RLX)};
    } else if (in->loc == last)
        in->loc = below(seed, last > 0 ? last : 1);
}

void script_generate(struct script *s, const struct script_shape *shape,
                     uint64_t *seed)
{
    memset(s, 0, sizeof *s);
    s->n_threads = 2 + below(seed, shape->max_threads - 1);
    s->n_locs = 1 + below(seed, shape->max_locs);
    if (HAS(SERVED)) {
        s->n_threads = shape->max_threads;
        s->n_locs = shape->max_locs;
    }
    for (unsigned t = 0; t < s->n_threads; t++) {
        int regs = 0;
        s->n_insns[t] = 1 + below(seed, shape->max_insns);
        for (unsigned i = 0; i < s->n_insns[t]; i++) {
            struct script_insn in = random_insn(s, shape, regs, seed);
            if (HAS(OWN))
                make_own(&in, s, t, i, regs, seed);
            if (HAS(SC) && below(seed, 4) &&
                (in.op == OP_LOAD || in.op == OP_STORE))
                in.tags = T(ATOMIC) | T(SC);
            if (HAS(SERVED))
                make_served(&in, s, t, i, regs, seed);
            if (HAS(RING))
                make_ring(&in, s, t, i, regs, seed);
            if (HAS(RELAXED) && (in.op == OP_LOAD || in.op == OP_STORE))
                in.tags = T(ATOMIC) | T(RLX);
            if (in.op == OP_LOAD || in.op == OP_FADD || in.op == OP_CAS ||
                in.op == OP_CHOOSE)
                regs++;
            s->insns[t][i] = in;
        }
        for (unsigned i = 0; HAS(PAIRS) && i < 4; i++)
            make_pair(s, t, seed);
    }
}

static void print_mode(uint64_t tags, FILE *out)
{
    for (unsigned t = TAG_NA; t <= TAG_SC; t++)
        if (tags >> t & 1 && t != TAG_ATOMIC)
            fprintf(out, ".%s", event_tag_name((enum event_tag)t));
    if (tags & TAGS_PART)
        fputs(tags & T(LOW) ? ".low" : ".high", out);
}

void script_print(const struct script *s, FILE *out)
{
    static const char *const names[] = {"load",  "store", "fadd",   "cas",
                                        "fence", "skip",  "assume", "choose",
                                        "ll",    "sc"};
    for (unsigned t = 0; t < s->n_threads; t++) {
        fprintf(out, "thread %u:\n", t);
        for (unsigned i = 0; i < s->n_insns[t]; i++) {
            const struct script_insn *in = &s->insns[t][i];
            fprintf(out, "  %s", names[in->op]);
            print_mode(in->tags, out);
            if (in->op == OP_CAS || in->op == OP_FADD) {
                fputs("/w", out);
                print_mode(in->write_tags, out);
            }
            if (in->op == OP_CAS) {
                fputs("/fail", out);
                print_mode(in->fail_tags, out);
            }
            fprintf(out, " r%d from=%d addr=%d loc=%u value=%d expected=%d%s\n",
                    in->reg, in->from, in->addr, in->loc, (int)in->value,
                    (int)in->expected, in->indexed ? " indexed" : "");
        }
    }
}

void script_bind(struct script *s, struct program *program)
{
    s->program = program;
    for (unsigned i = 0; i < s->n_locs; i++) {
        uint64_t addr = 0x1000 + 8 * i;
        locations_whole(&program->locations, addr, 8);
        s->locs[i] = locations_get(&program->locations, addr, 8, 0, LOC_NONE);
    }
}

/* What the interpreter of one thread needs. */
struct run {
    const uint64_t *values;
    unsigned n_values, used;
    struct label *out;
    unsigned n, cap;
    bool starved; /* the next value is not known */
    struct program *program;
    uint64_t regs[SCRIPT_REGS + 1];
    uint32_t source[SCRIPT_REGS + 1]; /* read that made the register, + 1 */
    uint32_t n_reads;
    uint32_t reserved; /* read of the last OP_LL without a store, from 1 */
    unsigned reserved_loc, reserved_label;
    struct dep ctrl[2 * SCRIPT_INSNS]; /* of all from here on */
    uint32_t n_ctrl;
};

/* Dependencies come twice: AArch64's pick flow contains the data flow. */
static void push_dep(struct dep *deps, uint32_t *n, enum dep_kind kind,
                     uint32_t source)
{
    if (!source)
        return;
    uint32_t pick = kind + (uint32_t)(DEP_PICK_ADDR - DEP_ADDR);
    deps[(*n)++] = (struct dep){kind, DEP_READ(source - 1)};
    deps[(*n)++] = (struct dep){pick, DEP_READ(source - 1)};
}

/* A list of dependencies on the sources of an address and of a value (two). */
static uint32_t deps_of(struct run *r, uint32_t addr, uint32_t data,
                        uint32_t more_data)
{
    struct dep deps[2 * SCRIPT_INSNS + 6];
    uint32_t n = 0;
    push_dep(deps, &n, DEP_ADDR, addr);
    push_dep(deps, &n, DEP_DATA, data);
    push_dep(deps, &n, DEP_DATA, more_data);
    for (uint32_t i = 0; i < r->n_ctrl; i++)
        deps[n++] = r->ctrl[i];
    return program_deps(r->program, deps, n);
}

static void emit(struct run *r, struct label label)
{
    const uint64_t acquires = T(ARM_A) | T(RV_AQ) | T(RV_AQRL);
    bool fence = label.kind == LABEL_FENCE;
    label.place = PLACE_NONE;
    label.size = 8;
    label.tags = machine_tags(label.tags, fence);
    if (label.kind == LABEL_READ)
        label.tags &= ~T(ARM_L);
    if (label.kind == LABEL_WRITE)
        label.tags &= ~T(ARM_A);
    /* A machine's compare-and-swap acquires or not, whether it fails or not. */
    if (label.kind == LABEL_READ && label.value)
        label.value = (machine_tags(label.value, false) & ~acquires) |
                      (label.tags & acquires);
    if (r->n < r->cap)
        r->out[r->n] = label;
    r->n++;
}

static uint64_t take_value(struct run *r)
{
    if (r->used < r->n_values)
        return r->values[r->used++];
    r->starved = true;
    return 0;
}

static void run_access(const struct script *s, const struct script_insn *in,
                       struct run *r)
{
    unsigned index = in->loc;
    if (in->indexed && in->addr >= 0)
        index = (unsigned)(index + r->regs[in->addr]) % s->n_locs;
    loc_id loc = s->locs[index];
    uint32_t addr = in->addr < 0 ? 0 : r->source[in->addr];
    uint32_t data = in->from < 0 ? 0 : r->source[in->from];
    uint64_t value = in->value + (in->from < 0 ? 0 : r->regs[in->from]);
    if (in->op == OP_STORE || in->op == OP_SC) {
        bool pair = in->op == OP_SC && r->reserved && r->reserved_loc == index;
        bool at_once = pair && r->reserved_label == r->n;
        emit(r, (struct label){.kind = LABEL_WRITE,
                               .rmw = at_once,
                               .aux = pair && !at_once ? r->reserved : 0,
                               .tags = in->tags | T(W),
                               .loc = loc,
                               .value = value & 3,
                               .deps = deps_of(r, addr, data, 0)});
        r->reserved = in->op == OP_SC ? 0 : r->reserved;
        return;
    }
    bool rmw = in->op == OP_FADD || in->op == OP_CAS;
    emit(r,
         (struct label){.kind = LABEL_READ,
                        .rmw = in->op == OP_LOAD ? 0
                               : machine_tags(in->write_tags, false) & T(ARM_L)
                                   ? RMW_RELEASE
                                   : RMW_PLAIN,
                        .tags = in->tags | T(R),
                        .value = in->op == OP_CAS ? in->fail_tags : 0,
                        .loc = loc,
                        .deps = deps_of(r, addr, 0, 0)});
    uint64_t old = take_value(r);
    r->regs[in->reg] = old;
    r->source[in->reg] = ++r->n_reads;
    if (in->op == OP_LL) {
        r->reserved = r->n_reads;
        r->reserved_loc = index;
        r->reserved_label = r->n;
    }
    if (!rmw || r->starved || (in->op == OP_CAS && old != in->expected))
        return;
    emit(r,
         (struct label){.kind = LABEL_WRITE,
                        .rmw = 1,
                        .tags = in->write_tags | T(W),
                        .loc = loc,
                        .value = (in->op == OP_CAS ? value : old + value) & 3,
                        .deps = deps_of(r, addr, data,
                                        in->op == OP_FADD ? r->n_reads : 0)});
}

/* A branch on a register, or an assume: all behind it depends on it. */
static bool is_met(struct run *r, const struct script_insn *in)
{
    push_dep(r->ctrl, &r->n_ctrl, DEP_CTRL, r->source[in->from]);
    return r->regs[in->from] == in->expected;
}

unsigned script_run(const struct script *s, unsigned t, const uint64_t *values,
                    unsigned n_values, struct label *out, unsigned cap)
{
    struct run r = {.values = values,
                    .n_values = n_values,
                    .out = out,
                    .cap = cap,
                    .program = s->program};
    for (unsigned i = 0; i < s->n_insns[t] && !r.starved; i++) {
        const struct script_insn *in = &s->insns[t][i];
        if (in->op == OP_FENCE)
            emit(&r, (struct label){.kind = LABEL_FENCE,
                                    .tags = in->tags | T(F),
                                    .loc = LOC_NONE,
                                    .deps = deps_of(&r, 0, 0, 0)});
        else if (in->op == OP_SKIP)
            i += is_met(&r, in) ? (unsigned)in->value : 0;
        else if (in->op == OP_CHOOSE) {
            emit(&r, (struct label){.kind = LABEL_CHOICE,
                                    .tags = T(CHOICE),
                                    .loc = LOC_NONE,
                                    .value = in->value,
                                    .deps = deps_of(&r, 0, 0, 0)});
            r.regs[in->reg] = take_value(&r);
        } else if (in->op != OP_ASSUME)
            run_access(s, in, &r);
        else if (is_met(&r, in)) {
            emit(&r, (struct label){.kind = LABEL_BLOCK, .aux = BLOCK_ASSUME});
            return r.n;
        }
    }
    if (!r.starved)
        emit(&r, (struct label){.kind = LABEL_END});
    return r.n;
}

/* Thread 0's path begins with the creations, which return nothing. */
static bool extend(void *self, struct path *path, node_id at, uint64_t value,
                   struct err *err)
{
    const struct script *s = self;
    struct label labels[64], *out = labels;
    uint64_t values[64];
    node_id root = path_root_of(path, at);
    unsigned t = path_label(path, root)->aux;
    unsigned n_values = path_values(path, at, values, 63);
    if (label_returns(path_label(path, at)->kind))
        values[n_values++] = value;
    if (t == 0)
        for (unsigned i = 1; i < s->n_threads; i++) {
            thread_id child = path_thread(path, 0, i - 1);
            *out++ = (struct label){.kind = LABEL_CREATE,
                                    .place = PLACE_NONE,
                                    .tags = T(CREATE) | TAGS_THREAD_SYNC,
                                    .loc = child,
                                    .aux = path_root(path, child, i, 0)};
        }
    unsigned n = (unsigned)(out - labels);
    n += script_run(s, t, values, n_values, out, 64 - n);

    unsigned depth = 0; /* labels from the root to `at` */
    for (node_id i = at; i != root; i = path->nodes[i].parent)
        depth++;
    if (depth >= n)
        return err_set(err, ERR_INTERNAL, "thread %u went on too little", t);
    for (unsigned i = depth; i < n; i++) {
        at = path_append(path, at, value, &labels[i]);
        value = 0;
    }
    return true;
}

struct runtime script_runtime(struct script *s)
{
    return (struct runtime){
        .name = "script", .self = s, .gives_deps = true, .extend = extend};
}
