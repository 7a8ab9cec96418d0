#include "core/location.h"

#include "core/mem.h"

#include <stdlib.h>
#include <string.h>

/* One aligned word of memory: where its granules begin, and those in use. */
struct loc_word {
    uint64_t key;    /* address / 8, with OBJECT_KEY for an object; +1 */
    uint8_t cuts;    /* bit i: a granule begins at byte i (bit 0 implied) */
    uint8_t guesses; /* likewise, but no access of this word has asked for it */
    bool atomic;     /* an atomic access wants a granule of 8 */
    bool pair;       /* wanted as one with the next word by 16 bytes; */
    bool split;      /* but that cannot be: some access takes less */
    uint8_t size[8]; /* of the granule in use from byte i, 0 if none; that of a
                        pair stands in its first word */
    loc_id at[8];
};

#define OBJECT_KEY ((uint64_t)1 << 62)

void locations_init(struct locations *ls)
{
    memset(ls, 0, sizeof *ls);
}

void locations_release(struct locations *ls)
{
    free(ls->items);
    free(ls->words);
    memset(ls, 0, sizeof *ls);
}

void locations_restart(struct locations *ls)
{
    ls->n = 0;
    ls->stale = false;
    for (uint32_t i = 0; i < ls->words_cap; i++)
        memset(ls->words[i].size, 0, sizeof ls->words[i].size);
}

static uint32_t slot_of(const struct locations *ls, uint64_t key)
{
    uint32_t mask = ls->words_cap - 1;
    uint32_t i = (uint32_t)(key * 0x9e3779b97f4a7c15u >> 32) & mask;
    while (ls->words[i].key && ls->words[i].key != key + 1)
        i = (i + 1) & mask;
    return i;
}

static struct loc_word *word_of(struct locations *ls, uint64_t key)
{
    if (ls->n_words * 2 >= ls->words_cap) {
        struct loc_word *old = ls->words;
        uint32_t old_cap = ls->words_cap;
        ls->words_cap = old_cap ? old_cap * 2 : 64;
        size_t bytes = ls->words_cap * sizeof *old;
        ls->words = memset(mem_resize(NULL, bytes), 0, bytes);
        for (uint32_t i = 0; i < old_cap; i++)
            if (old[i].key)
                ls->words[slot_of(ls, old[i].key - 1)] = old[i];
        free(old);
    }
    struct loc_word *w = &ls->words[slot_of(ls, key)];
    if (!w->key) {
        w->key = key + 1;
        ls->n_words++;
    }
    return w;
}

/* The first word of the pair that the word at `key` is half of, if that is to
 * be one granule; else NULL. */
static struct loc_word *pair_of(const struct locations *ls, uint64_t key)
{
    if (!ls->has_pairs)
        return NULL;
    struct loc_word *w = &ls->words[slot_of(ls, key & ~(uint64_t)1)];
    return w->key && w->pair && !w->split ? w : NULL;
}

/* An access takes less than a pair. */
static void split_pair(struct locations *ls, uint64_t key)
{
    struct loc_word *w = pair_of(ls, key);
    if (!w)
        return;
    w->split = true;
    ls->stale |= w->size[0] == 16;
}

static bool splits_granule(const struct loc_word *w, unsigned byte)
{
    for (unsigned i = 0; i < byte; i++)
        if (i + w->size[i] > byte)
            return true;
    return false;
}

/* A granule boundary at `byte` of the word. If that cuts a granule in use, the
 * words nearby that are one granule are cut alike, by guess: an array cleared
 * by memset would else need one restart an element. */
static void cut(struct locations *ls, struct loc_word *w, unsigned byte)
{
    if (byte == 0 || byte >= 8 || w->cuts >> byte & 1)
        return;
    uint8_t bit = (uint8_t)(1u << byte);
    bool guessed = w->guesses & bit;
    w->cuts |= bit;
    w->guesses &= (uint8_t)~bit;
    if (guessed || !splits_granule(w, byte))
        return;
    ls->stale = true;
    const uint64_t near = 8192;
    for (uint32_t i = 0; i < ls->words_cap; i++) {
        struct loc_word *v = &ls->words[i];
        if (v->size[0] == 8 && !v->atomic && v->key + near > w->key &&
            v->key < w->key + near)
            v->guesses |= bit & (uint8_t)~v->cuts;
    }
}

static unsigned piece(const struct loc_word *w, unsigned from, unsigned to)
{
    unsigned cuts = w->cuts | w->guesses, end = from + 1;
    while (end < to && !(cuts >> end & 1))
        end++;
    return end - from;
}

unsigned locations_next(struct locations *ls, uint64_t addr, uint64_t size)
{
    if (addr % 16 == 0 && size >= 16 && pair_of(ls, addr / 8))
        return 16;
    split_pair(ls, addr / 8);
    struct loc_word *w = word_of(ls, addr / 8);
    unsigned from = addr % 8;
    unsigned to = size < 8 - from ? from + (unsigned)size : 8;
    cut(ls, w, to);
    return piece(w, from, to);
}

unsigned locations_piece(struct locations *ls, uint64_t addr, uint64_t size)
{
    cut(ls, word_of(ls, addr / 8), addr % 8);
    return locations_next(ls, addr, size);
}

/* Guesses give way to an access that cannot be split. */
static void drop_guesses(struct locations *ls, struct loc_word *w,
                         unsigned from, unsigned to)
{
    for (unsigned i = from + 1; i < to; i++)
        if (w->guesses >> i & 1) {
            w->guesses &= (uint8_t)~(1u << i);
            ls->stale |= w->size[i] != 0;
        }
}

/* Two words as one, unless someone takes less of them. Words in use one by one
 * become a pair when the exploration starts again. */
static bool whole_pair(struct locations *ls, uint64_t key)
{
    bool is_cut = false, in_use = false;
    if (pair_of(ls, key))
        return true;
    for (uint64_t i = key; i <= key + 1; i++) {
        struct loc_word *w = word_of(ls, i);
        drop_guesses(ls, w, 0, 8);
        is_cut |= w->cuts >> 1 != 0;
        in_use |= w->size[0] != 0;
    }
    struct loc_word *first = word_of(ls, key);
    first->split |= is_cut;
    if (first->split)
        return false;
    first->pair = ls->has_pairs = true;
    ls->stale |= in_use;
    return true;
}

bool locations_whole(struct locations *ls, uint64_t addr, unsigned size)
{
    if (size == 0 || size > 16 || addr % size != 0)
        return false;
    if (size == 16)
        return whole_pair(ls, addr / 8);
    split_pair(ls, addr / 8);
    struct loc_word *w = word_of(ls, addr / 8);
    unsigned from = addr % 8, to = from + size;
    cut(ls, w, from);
    cut(ls, w, to);
    drop_guesses(ls, w, from, to);
    w->atomic |= size == 8;
    return piece(w, from, to) == size;
}

static loc_id make(struct locations *ls, struct loc_word *w, unsigned byte,
                   struct location loc)
{
    ls->items = mem_room(ls->items, ls->n, &ls->cap, sizeof *ls->items);
    ls->items[ls->n] = loc;
    w->size[byte] = loc.size;
    w->at[byte] = ls->n;
    return ls->n++;
}

loc_id locations_get(struct locations *ls, uint64_t addr, unsigned size,
                     uint64_t init, loc_id object)
{
    struct loc_word *w = word_of(ls, addr / 8);
    unsigned byte = addr % 8;
    if (w->size[byte])
        return w->at[byte];
    struct location loc = {
        .addr = addr,
        .size = (uint8_t)size,
        .kind = object == LOC_NONE ? LOC_STATIC : LOC_HEAP,
        .object = object,
        .init = init,
    };
    return make(ls, w, byte, loc);
}

bool locations_in_pair(const struct locations *ls, uint64_t addr)
{
    return pair_of(ls, addr / 8);
}

bool locations_has(const struct locations *ls, uint64_t addr, unsigned size)
{
    const struct loc_word *w =
        ls->words_cap ? &ls->words[slot_of(ls, addr / 8)] : NULL;
    return w && w->key && w->size[addr % 8] == size;
}

loc_id locations_object(struct locations *ls, uint64_t addr)
{
    struct loc_word *w = word_of(ls, addr / 8 | OBJECT_KEY);
    if (w->size[0])
        return w->at[0];
    struct location loc = {
        .addr = addr,
        .size = 1,
        .kind = LOC_OBJECT,
        .object = LOC_NONE,
    };
    return make(ls, w, 0, loc);
}
