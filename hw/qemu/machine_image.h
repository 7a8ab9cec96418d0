/* A program under test as machine code: what the runtime over QEMU needs to
 * know of a linked image. Filled by a frontend, which owns all of it. */
#ifndef HW_QEMU_MACHINE_IMAGE_H
#define HW_QEMU_MACHINE_IMAGE_H

#include "hw/isa.h"
#include "hw/qemu/wire.h"

struct machine_segment {
    uint64_t addr, bytes;
    const uint8_t *data; /* the first `n_data` bytes; the rest is zero */
    uint64_t n_data;
    uint64_t offset; /* of the data in the file */
    bool is_code;
};

struct machine_position {
    const char *file, *function; /* valid as long as the image; may be NULL */
    uint32_t line, column;       /* 0: not known */
};

struct machine_image {
    const struct isa *isa;
    int fd;            /* of the ELF, to be run */
    bool atomic_pairs; /* the machine is one that makes effect.is_pair one */
    struct machine_segment segments[8];
    uint32_t n_segments;

    /* Symbols of the guest runtime (frontend/guest/link.ld). */
    uint64_t marker, mailbox, main;
    struct wire_range quiet;    /* its code that is not looked at */
    struct wire_range library;  /* its code that is */
    struct wire_range text;     /* all code that is, the program's first */
    struct wire_range stubs;    /* behind it, room for ours */
    struct wire_range constant; /* read-only data */
    struct wire_range relro;    /* as constant, once linked */
    struct wire_range data;     /* variables */
    struct wire_range own;      /* its own data */
    struct wire_range tls;      /* initial values of thread-local variables */

    /* Position of the code at pc; false: not known. */
    bool (*find)(const void *self, uint64_t pc, struct machine_position *out);
    /* Source's name of a variable's part at `addr`; false: none there. `tls`:
     * addr is an offset in a thread's own range. */
    bool (*name)(const void *self, uint64_t addr, bool tls, char *buf,
                 size_t cap);
    const void *self;
};

static inline bool range_has(struct wire_range r, uint64_t addr)
{
    return addr - r.from < r.to - r.from;
}

/* The bytes of the image at `addr`, up to `n`, into buf; false: not there. */
bool machine_image_read(const struct machine_image *im, uint64_t addr,
                        void *buf, size_t n);
/* The string at `addr` among the constants into buf; "?" if there is none. */
void machine_image_string(const struct machine_image *im, uint64_t addr,
                          char *buf, size_t cap);

#endif
