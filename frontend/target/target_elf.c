/* Segments and symbols of a linked image. */
#include "frontend/target/target.h"

#include "core/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct target_symbol {
    uint64_t addr, size;
    const char *name;
    bool function, external;
};

/* ---- the ISA of a file */

static const struct isa *isa_of(const GElf_Ehdr *head)
{
    return isa_of_elf(head->e_machine, head->e_ident[EI_DATA] == ELFDATA2MSB);
}

static bool check_head(const struct target *t, GElf_Ehdr *head,
                       const struct isa *isa, struct err *err)
{
    if (!gelf_getehdr(t->elf, head) || head->e_ident[EI_CLASS] != ELFCLASS64)
        return err_set(err, ERR_INPUT, "not a 64-bit ELF file");
    const struct isa *found = isa_of(head);
    if (!found)
        return err_set(err, ERR_INPUT, "ELF machine %u is not one of ours",
                       head->e_machine);
    if (isa && isa != found)
        return err_set(err, ERR_INPUT, "is for %s, not for %s", found->name,
                       isa->name);
    if (head->e_type != ET_EXEC)
        return err_set(err, ERR_INPUT, "not a static executable");
    return true;
}

const struct isa *target_object_isa(const char *path, struct err *err)
{
    GElf_Ehdr head;
    const struct isa *isa = NULL;
    elf_version(EV_CURRENT);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ, NULL);
    if (fd < 0)
        err_set(err, ERR_INPUT, "cannot read '%s': %s", path, strerror(errno));
    else if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &head))
        err_set(err, ERR_INPUT, "'%s' is not an ELF object", path);
    else if (head.e_type != ET_REL)
        err_set(err, ERR_INPUT,
                "'%s' is linked already: expected an object, as cc -c makes it",
                path);
    else if (head.e_ident[EI_CLASS] != ELFCLASS64 || !(isa = isa_of(&head)))
        err_set(err, ERR_INPUT,
                "'%s' is for ELF machine %u (%d bits), which is not one of "
                "ours",
                path, head.e_machine,
                head.e_ident[EI_CLASS] == ELFCLASS64 ? 64 : 32);
    if (elf)
        elf_end(elf);
    if (fd >= 0)
        close(fd);
    return isa;
}

/* ---- symbols */

static int by_address(const void *a, const void *b)
{
    const struct target_symbol *x = a, *y = b;
    return x->addr < y->addr ? -1 : x->addr > y->addr;
}

struct wanted {
    const char *name;
    uint64_t *at;
    bool found;
};

static void add_symbol(struct target *t, const GElf_Sym *sym, const char *name)
{
    unsigned type = GELF_ST_TYPE(sym->st_info);
    if ((type != STT_FUNC && type != STT_OBJECT) || !name[0])
        return;
    t->symbols =
        mem_room(t->symbols, t->n_symbols, &t->symbols_cap, sizeof *t->symbols);
    t->symbols[t->n_symbols++] = (struct target_symbol){
        .addr = sym->st_value,
        .size = sym->st_size,
        .name = name,
        .function = type == STT_FUNC,
        .external = GELF_ST_BIND(sym->st_info) != STB_LOCAL,
    };
}

static bool read_symbols(struct target *t, struct wanted *wanted, size_t n,
                         struct err *err)
{
    Elf_Scn *section = NULL;
    while ((section = elf_nextscn(t->elf, section))) {
        GElf_Shdr head;
        Elf_Data *data = elf_getdata(section, NULL);
        if (!gelf_getshdr(section, &head) || head.sh_type != SHT_SYMTAB ||
            !data || !head.sh_entsize)
            continue;
        for (int i = 0; i < (int)(head.sh_size / head.sh_entsize); i++) {
            GElf_Sym sym;
            if (!gelf_getsym(data, i, &sym))
                break;
            const char *name = elf_strptr(t->elf, head.sh_link, sym.st_name);
            if (!name)
                continue;
            add_symbol(t, &sym, name);
            for (size_t k = 0; k < n; k++)
                if (strcmp(name, wanted[k].name) == 0) {
                    *wanted[k].at = sym.st_value;
                    wanted[k].found = true;
                }
        }
    }
    if (t->n_symbols)
        qsort(t->symbols, t->n_symbols, sizeof *t->symbols, by_address);
    for (size_t k = 0; k < n; k++)
        if (!wanted[k].found)
            return err_set(err, ERR_INPUT, "has no symbol '%s': %s",
                           wanted[k].name,
                           strcmp(wanted[k].name, "main") == 0
                               ? "no program"
                               : "not linked against hwcheck's runtime");
    return true;
}

const char *target_symbol_at(const struct target *t, uint64_t addr,
                             bool function, uint64_t *start)
{
    uint32_t low = 0, high = t->n_symbols;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (t->symbols[middle].addr <= addr)
            low = middle + 1;
        else
            high = middle;
    }
    /* Symbols nest at most as aliases do. */
    for (uint32_t k = 0; k < low && k < 16; k++) {
        const struct target_symbol *s = &t->symbols[low - 1 - k];
        if (s->function == function && addr - s->addr < s->size) {
            *start = s->addr;
            return s->name;
        }
    }
    return NULL;
}

/* Compilers and linkers number static functions: "f.15", "f.lto_priv.0". */
static size_t own_length(const struct target_symbol *s)
{
    return s->external ? strlen(s->name) : strcspn(s->name, ".");
}

const char *target_function_at(const struct target *t, uint64_t addr,
                               size_t *length, bool *is_one_of_many)
{
    const struct target_symbol *found = NULL;
    *is_one_of_many = false;
    for (uint32_t i = 0; i < t->n_symbols; i++)
        if (t->symbols[i].function && t->symbols[i].addr == addr)
            found = &t->symbols[i];
    if (!found)
        return NULL;
    *length = own_length(found);
    for (uint32_t i = 0; !found->external && i < t->n_symbols; i++)
        *is_one_of_many |=
            t->symbols[i].function && t->symbols[i].addr != addr &&
            own_length(&t->symbols[i]) == *length &&
            strncmp(t->symbols[i].name, found->name, *length) == 0;
    return found->name;
}

bool target_find(const struct target *t, const char *name, bool function,
                 uint64_t *addr)
{
    const struct target_symbol *found = NULL;
    for (uint32_t i = 0; i < t->n_symbols; i++)
        if (t->symbols[i].function == function &&
            (!found || t->symbols[i].external > found->external) &&
            strcmp(t->symbols[i].name, name) == 0)
            found = &t->symbols[i];
    if (found)
        *addr = found->addr;
    return found != NULL;
}

/* ---- segments */

static bool read_segments(struct target *t, struct err *err)
{
    struct machine_image *im = &t->image;
    size_t n = 0;
    elf_getphdrnum(t->elf, &n);
    for (size_t i = 0; i < n; i++) {
        GElf_Phdr p;
        if (!gelf_getphdr(t->elf, (int)i, &p) || p.p_type != PT_LOAD ||
            p.p_memsz == 0)
            continue;
        if (im->n_segments == sizeof im->segments / sizeof *im->segments ||
            p.p_offset > t->n_bytes || p.p_filesz > t->n_bytes - p.p_offset ||
            p.p_filesz > p.p_memsz || p.p_memsz > UINT64_MAX - p.p_vaddr)
            return err_set(err, ERR_INPUT, "bad program header %zu", i);
        im->segments[im->n_segments++] = (struct machine_segment){
            .addr = p.p_vaddr,
            .bytes = p.p_memsz,
            .data = t->bytes + p.p_offset,
            .n_data = p.p_filesz,
            .offset = p.p_offset,
            .is_code = p.p_flags & PF_X,
        };
    }
    return true;
}

/* Is the range empty or in one segment? Of code: in the bytes that the file
 * has of it. */
static bool holds(const struct machine_image *im, struct wire_range r,
                  bool code)
{
    for (uint32_t i = 0; i < im->n_segments; i++) {
        const struct machine_segment *s = &im->segments[i];
        uint64_t bytes = code ? s->n_data : s->bytes;
        if (s->is_code >= code && r.from < r.to && r.from >= s->addr &&
            r.to - s->addr <= bytes)
            return true;
    }
    return r.from == r.to;
}

/* Symbols that were moved by hand would lead us anywhere. */
static bool check_ranges(const struct machine_image *im, struct err *err)
{
    struct wire_range seen = {im->text.from, im->stubs.to};
    const struct {
        const char *name;
        struct wire_range range;
        bool code;
    } ranges[] = {
        {"quiet", im->quiet, true},  {"library", im->library, true},
        {"text", im->text, true},    {"stubs", im->stubs, true},
        {"text", seen, true},        {"constant", im->constant, false},
        {"relro", im->relro, false}, {"data", im->data, false},
        {"own", im->own, false},     {"tls", im->tls, false},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (!holds(im, ranges[i].range, ranges[i].code))
            return err_set(err, ERR_INPUT,
                           "'__hwc_%s_start' and '_end' are not in one segment"
                           "%s",
                           ranges[i].name, ranges[i].code ? " of code" : "");
    return im->text.to <= im->stubs.from ||
           err_set(err, ERR_INPUT, "'__hwc_stubs_start' is in the text");
}

/* What a thread has for them begins with 256 bytes that ABIs keep there, and
 * ends with the word at which x86-64's thread pointer points (runtime.c). */
static bool check_thread_locals(const struct machine_image *im, struct err *err)
{
    uint64_t bytes = im->tls.to - im->tls.from;
    enum { MOST = WIRE_TLS_BYTES - 256 - 64 };
    return bytes <= MOST || err_set(err, ERR_INPUT,
                                    "the thread-local variables take %" PRIu64
                                    " bytes; at most %d are supported",
                                    bytes, MOST);
}

bool target_read_elf(struct target *t, int fd, const struct isa *isa,
                     struct err *err)
{
    struct machine_image *im = &t->image;
    struct stat st;
    im->fd = fd;
    if (fstat(fd, &st) != 0 || st.st_size == 0)
        return err_set(err, ERR_INPUT, "empty file");
    void *bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (bytes == MAP_FAILED)
        return err_set(err, ERR_SYSTEM, "cannot be mapped: %s",
                       strerror(errno));
    t->bytes = bytes;
    t->n_bytes = (size_t)st.st_size;
    elf_version(EV_CURRENT);
    t->elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
    GElf_Ehdr head;
    if (!t->elf || elf_kind(t->elf) != ELF_K_ELF)
        return err_set(err, ERR_INPUT, "not an ELF file");
    if (!check_head(t, &head, isa, err))
        return false;
    im->isa = isa_of(&head);
    struct wanted wanted[] = {
        {"main", &im->main, false},
        {"__hwc_marker", &im->marker, false},
        {"__hwc_mailbox", &im->mailbox, false},
        {"__hwc_quiet_start", &im->quiet.from, false},
        {"__hwc_quiet_end", &im->quiet.to, false},
        {"__hwc_library_start", &im->library.from, false},
        {"__hwc_library_end", &im->library.to, false},
        {"__hwc_text_start", &im->text.from, false},
        {"__hwc_text_end", &im->text.to, false},
        {"__hwc_stubs_start", &im->stubs.from, false},
        {"__hwc_stubs_end", &im->stubs.to, false},
        {"__hwc_constant_start", &im->constant.from, false},
        {"__hwc_constant_end", &im->constant.to, false},
        {"__hwc_relro_start", &im->relro.from, false},
        {"__hwc_relro_end", &im->relro.to, false},
        {"__hwc_data_start", &im->data.from, false},
        {"__hwc_data_end", &im->data.to, false},
        {"__hwc_own_start", &im->own.from, false},
        {"__hwc_own_end", &im->own.to, false},
        {"__hwc_tls_start", &im->tls.from, false},
        {"__hwc_tls_end", &im->tls.to, false},
    };
    return read_symbols(t, wanted, sizeof wanted / sizeof *wanted, err) &&
           read_segments(t, err) && check_ranges(im, err) &&
           check_thread_locals(im, err);
}

void target_release(struct target *t)
{
    target_release_dwarf(t);
    if (t->elf)
        elf_end(t->elf);
    if (t->bytes)
        munmap((void *)(uintptr_t)t->bytes, t->n_bytes);
    if (t->image.fd >= 0 && t->n_bytes)
        close(t->image.fd);
    free(t->symbols);
    free(t->uses.list);
    memset(t, 0, sizeof *t);
    t->image.fd = -1;
}
