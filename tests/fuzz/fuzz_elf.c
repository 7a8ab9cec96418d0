/* Any file is an image or an error; of an image every address can be asked for
 * its line, its function and its name, and its code can be decoded.
 *
 * Mutations stay in one section most of the time: one byte of the headers or
 * of a wanted symbol's name, and nothing of the DWARF is read. */
#include "frontend/target/target.h"
#include "hw/decode.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
                               unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/* ---- mutation */

static uint64_t number_at(const uint8_t *data, size_t at, unsigned bytes)
{
    bool big = data[EI_DATA] == ELFDATA2MSB;
    uint64_t n = 0;
    for (unsigned i = 0; i < bytes; i++)
        n = n << 8 | data[at + (big ? i : bytes - 1 - i)];
    return n;
}

/* The bytes of the n-th section (modulo their number); false: none there. */
static bool find_section(const uint8_t *data, size_t size, unsigned n,
                         size_t *from, size_t *bytes)
{
    if (size < sizeof(Elf64_Ehdr))
        return false;
    size_t table = number_at(data, offsetof(Elf64_Ehdr, e_shoff), 8);
    unsigned count =
        (unsigned)number_at(data, offsetof(Elf64_Ehdr, e_shnum), 2);
    if (count == 0 || table > size ||
        (size - table) / sizeof(Elf64_Shdr) < count)
        return false;
    size_t head = table + n % count * sizeof(Elf64_Shdr);
    *from = number_at(data, head + offsetof(Elf64_Shdr, sh_offset), 8);
    *bytes = number_at(data, head + offsetof(Elf64_Shdr, sh_size), 8);
    return *from < size && *bytes > 0 && *bytes <= size - *from;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
                               unsigned seed)
{
    size_t from, bytes;
    if (seed % 8 == 0 || !find_section(data, size, seed / 8, &from, &bytes))
        return LLVMFuzzerMutate(data, size, max_size);
    size_t now = LLVMFuzzerMutate(data + from, bytes, bytes);
    memset(data + from + now, 0, bytes - now);
    return size;
}

/* ---- use */

static void ask(const struct machine_image *im, uint64_t addr)
{
    struct machine_position at;
    char text[60];
    uint64_t value;
    im->find(im->self, addr, &at);
    im->name(im->self, addr, false, text, sizeof text);
    machine_image_read(im, addr, &value, sizeof value);
    machine_image_string(im, addr, text, sizeof text);
}

static void decode_all(const struct machine_image *im)
{
    struct decode d;
    struct err err;
    if (!decode_init(&d, im->isa, &err))
        abort();
    for (uint32_t i = 0; i < im->n_segments; i++)
        if (im->segments[i].is_code)
            decode_add_section(&d, im->segments[i].addr, im->segments[i].data,
                               im->segments[i].n_data);
    decode_find_loops(&d, im->text.from, im->text.to);
    decode_release(&d);
}

static void use(const struct target *t)
{
    const struct machine_image *im = &t->image;
    const struct target_declaration local = {
        .name = "x", .function = "main", .file = "x.c", .line = 1};
    uint64_t addr;
    target_find_variable(t, &local, &addr);
    target_find(t, "main", true, &addr);
    for (uint32_t i = 0; i < im->n_segments; i++)
        for (uint64_t k = 0; k < im->segments[i].bytes && k < 300; k++)
            ask(im, im->segments[i].addr + k);
    ask(im, 0);
    ask(im, UINT64_MAX);
    decode_all(im);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct target t;
    struct err err = {0};
    char path[40];
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    struct target_options options = {.elf = path};
    if (target_build(&t, &options, &err))
        use(&t);
    else if (!err.text[0])
        abort(); /* a failure must say why */
    target_release(&t);
    close(fd);
    return 0;
}
