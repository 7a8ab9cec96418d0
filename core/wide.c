#include "core/wide.h"

#include "core/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define IN_TABLE ((uint64_t)1 << 63)

void wides_release(struct wides *w)
{
    free(w->items);
    free(w->index);
    memset(w, 0, sizeof *w);
}

/* Where the value stands in the index, or the free place for it. */
static uint32_t *slot_of(const struct wides *w, struct wide v)
{
    uint64_t hash =
        (v.low ^ v.high * 0x9e3779b97f4a7c15u) * 0xff51afd7ed558ccdu;
    uint32_t mask = w->index_cap - 1;
    for (uint32_t i = (uint32_t)(hash >> 32) & mask;; i = (i + 1) & mask) {
        uint32_t *slot = &w->index[i];
        if (!*slot || (w->items[*slot - 1].low == v.low &&
                       w->items[*slot - 1].high == v.high))
            return slot;
    }
}

/* Keeps the index at most half full. */
static void make_room(struct wides *w)
{
    if (w->n * 2 < w->index_cap)
        return;
    w->index_cap = w->index_cap ? w->index_cap * 2 : 64;
    size_t bytes = w->index_cap * sizeof *w->index;
    w->index = memset(mem_resize(w->index, bytes), 0, bytes);
    for (uint32_t i = 0; i < w->n; i++)
        *slot_of(w, w->items[i]) = i + 1;
}

uint64_t wides_word(struct wides *w, struct wide value)
{
    if (value.high == 0 && !(value.low & IN_TABLE))
        return value.low;
    make_room(w);
    uint32_t *slot = slot_of(w, value);
    if (!*slot) {
        w->items = mem_room(w->items, w->n, &w->cap, sizeof *w->items);
        w->items[w->n] = value;
        *slot = ++w->n;
    }
    return IN_TABLE | (*slot - 1);
}

struct wide wides_value(const struct wides *w, uint64_t word)
{
    if (!(word & IN_TABLE))
        return (struct wide){word, 0};
    assert((word & ~IN_TABLE) < w->n);
    return w->items[word & ~IN_TABLE];
}
