/* The copy of the program's image that QEMU runs. It differs from the image in
 * two things; the decoder keeps to the image.
 *
 * System calls must not reach the system: they are illegal instructions, for
 * which the guest has a handler.
 *
 * Which operand a conditional selection takes cannot be seen from outside, and
 * what depends on what hangs on it. So each is moved to a stub behind the text,
 * with a branch on its condition before it (isa.make_stub): the blocks that are
 * executed tell. Stub i is that of r->selections[i]. */
#ifndef HW_QEMU_QEMU_IMAGE_H
#define HW_QEMU_QEMU_IMAGE_H

#include "hw/qemu/qemu_runtime.h"

/* Makes it, as r->link.image. */
bool qemu_image_make(struct qemu_runtime *r, struct err *err);

/* Is it a selection that has a stub? */
bool qemu_image_has_stub(const struct qemu_runtime *r,
                         const struct instruction *in);

/* Does a load from code see what the image does not have? */
bool qemu_image_differs(const struct qemu_runtime *r,
                        const struct wire_record *load);

#endif
