/* Memory locations: the granules of shared memory that events act on.
 *
 * A location is an aligned piece of 1, 2, 4 or 8 bytes inside one 8-byte word,
 * or a pair of words that accesses of 16 bytes have as one. Granules come from
 * the accesses themselves: the first access to a byte decides. A later
 * non-atomic access that covers several granules is split by the runtime into
 * one event a granule. One that would cut a granule in use makes the set
 * `stale`: the cut is recorded and the exploration must start again with the
 * finer granules. An atomic access that does not match exactly is not modelled
 * (mixed size).
 *
 * Heap and escaped stack objects have, besides, one location of their own each
 * (kind LOC_OBJECT) on which their ALLOC and FREE events live. */
#ifndef CORE_LOCATION_H
#define CORE_LOCATION_H

#include "core/event.h"

enum loc_kind {
    LOC_STATIC, /* part of a global variable */
    LOC_HEAP,   /* part of an allocated object; `object` is set */
    LOC_OBJECT, /* stands for a whole allocated object */
};

struct location {
    uint64_t addr;
    uint8_t size;
    uint8_t kind;  /* enum loc_kind */
    loc_id object; /* LOC_HEAP: location of kind LOC_OBJECT, else LOC_NONE */
    uint64_t init; /* value of the initial write (16 bytes: see wide.h) */
};

struct locations {
    struct location *items;
    uint32_t n, cap;
    struct loc_word *words; /* open-addressed by addr / 8 */
    uint32_t n_words, words_cap;
    bool stale;     /* a granule in use was cut: explore again */
    bool has_pairs; /* of words that accesses of 16 bytes want as one */
};

void locations_init(struct locations *ls);
void locations_release(struct locations *ls);

/* Forgets the locations but keeps the cuts; clears `stale`. */
void locations_restart(struct locations *ls);

/* How many bytes from `addr`, at most `size` and at most to the end of the
 * 8-byte word, one event of a non-atomic access may take; 16 if there is a
 * location of that size at addr and the access covers it. Records the cuts the
 * access needs; sets `stale` if that cuts a granule in use. */
unsigned locations_piece(struct locations *ls, uint64_t addr, uint64_t size);

/* The same for the rest of an access from `addr` on, behind a piece of it: it
 * is not the access that wants a granule to begin there. */
unsigned locations_next(struct locations *ls, uint64_t addr, uint64_t size);

/* Can one atomic event have exactly this extent? False: misaligned, or another
 * access uses a different granule there. */
bool locations_whole(struct locations *ls, uint64_t addr, unsigned size);

/* The location of a piece that locations_piece or _whole has allowed; makes it
 * if new, with the given initial value and object. */
loc_id locations_get(struct locations *ls, uint64_t addr, unsigned size,
                     uint64_t init, loc_id object);

/* Do accesses of 16 bytes want the byte at addr in a location of that size? */
bool locations_in_pair(const struct locations *ls, uint64_t addr);

/* Is there a location of exactly this extent? */
bool locations_has(const struct locations *ls, uint64_t addr, unsigned size);

/* The location that stands for the allocated object at `addr`; keyed apart
 * from the bytes there. */
loc_id locations_object(struct locations *ls, uint64_t addr);

#endif
