/* Values of 16 bytes in the 64 bits that a value has. One below 2^63 is itself;
 * any other is an entry of a table, its number with bit 63 set. Equal values
 * have one such word, so that who only compares values (the engine, the path
 * cache) need not know of this: only accesses of 16 bytes have them, and it is
 * their size that says how a word is meant. Entries stay for the whole run. */
#ifndef CORE_WIDE_H
#define CORE_WIDE_H

#include <stdint.h>

#define WIDE_BYTES 16

/* The number high * 2^64 + low. */
struct wide {
    uint64_t low, high;
};

struct wides {
    struct wide *items;
    uint32_t n, cap;
    uint32_t *index; /* open-addressed hash of numbers + 1 */
    uint32_t index_cap;
};

void wides_release(struct wides *w);

/* The word of a value. */
uint64_t wides_word(struct wides *w, struct wide value);
/* And back. */
struct wide wides_value(const struct wides *w, uint64_t word);

#endif
