#include "hw/qemu/machine_image.h"

#include <assert.h>
#include <string.h>

static const struct machine_segment *segment_of(const struct machine_image *im,
                                                uint64_t addr)
{
    for (uint32_t i = 0; i < im->n_segments; i++)
        if (addr - im->segments[i].addr < im->segments[i].bytes)
            return &im->segments[i];
    return NULL;
}

bool machine_image_read(const struct machine_image *im, uint64_t addr,
                        void *buf, size_t n)
{
    const struct machine_segment *s = segment_of(im, addr);
    if (!s || s->bytes - (addr - s->addr) < n)
        return false;
    uint64_t offset = addr - s->addr;
    memset(buf, 0, n);
    if (offset < s->n_data)
        memcpy(buf, s->data + offset,
               s->n_data - offset < n ? s->n_data - offset : n);
    return true;
}

void machine_image_string(const struct machine_image *im, uint64_t addr,
                          char *buf, size_t cap)
{
    size_t k = 0;
    assert(cap >= 2);
    for (; k + 1 < cap; k++) {
        if ((!range_has(im->constant, addr + k) &&
             !range_has(im->relro, addr + k)) ||
            !machine_image_read(im, addr + k, &buf[k], 1)) {
            buf[0] = '?';
            buf[1] = '\0';
            return;
        }
        if (!buf[k])
            return;
    }
    buf[k] = '\0';
}
