/* What models ask of machine code beyond its accesses: the dependencies of
 * labels, and the instructions that made them. */
#ifndef HW_QEMU_QEMU_DEPS_H
#define HW_QEMU_QEMU_DEPS_H

#include "hw/qemu/qemu_runtime.h"

/* From now on labels carry their dependencies, and the runtime's program names
 * addresses and instructions as the image does. The runtime must not move. */
void qemu_deps_give(struct qemu_runtime *r);

#endif
