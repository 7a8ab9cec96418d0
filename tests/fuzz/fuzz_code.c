/* Any bytes, here in hex, are code on each ISA: what they do can be read, which
 * branches go back and which registers matter too, and the same bytes say the
 * same wherever they are read from. */
#include "hw/live.h"

#include <stdlib.h>
#include <string.h>

#define FROM 0x10000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int digit(uint8_t c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                  : -1;
}

/* Two digits are a byte, in a row; the rest is skipped. */
static size_t read_hex(const uint8_t *data, size_t size, uint8_t *code)
{
    size_t n = 0;
    for (size_t i = 0; i + 1 < size; i++) {
        int high = digit(data[i]), low = digit(data[i + 1]);
        if (high < 0 || low < 0)
            continue;
        code[n++] = (uint8_t)(high << 4 | low);
        i++;
    }
    return n;
}

static void read_again(struct decode *d, const struct instruction *in,
                       const uint8_t *code, size_t bytes)
{
    struct instruction again;
    unsigned n = decode_bytes(d, code, bytes, in->pc, &again);
    if (n != in->length || strcmp(again.text, in->text) != 0)
        abort();
}

static void use(const struct isa *isa, const uint8_t *code, size_t bytes)
{
    struct decode d;
    struct live l;
    struct err err;
    if (!decode_init(&d, isa, &err))
        abort();
    decode_add_section(&d, FROM, code, bytes);
    decode_find_loops(&d, FROM, FROM + bytes);
    live_init(&l, &d, isa->result_register);
    for (uint64_t at = 0; at < bytes;) {
        const struct instruction *in = decode_at(&d, FROM + at);
        if (!in)
            break;
        if (in->length == 0 || in->length > bytes - at)
            abort();
        read_again(&d, in, code + at, bytes - at);
        if (in->is_loop_head)
            live_at(&l, in->pc, false);
        at += in->length;
    }
    live_at(&l, FROM, true);
    live_release(&l);
    decode_release(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *code = malloc(size / 2 + 1);
    if (!code)
        return 0;
    size_t bytes = read_hex(data, size, code);
    for (const struct isa *const *isa = isa_registry; *isa; isa++)
        use(*isa, code, bytes);
    free(code);
    return 0;
}
