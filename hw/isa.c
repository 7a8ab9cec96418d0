#include "hw/isa.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

const struct isa *isa_find(const char *name)
{
    for (const struct isa *const *i = isa_registry; *i; i++) {
        if (strcmp((*i)->name, name) == 0)
            return *i;
        for (const char *const *a = (*i)->aliases; a && *a; a++)
            if (strcmp(*a, name) == 0)
                return *i;
    }
    return NULL;
}

const struct isa *isa_of_triple(const char *triple)
{
    size_t n = strcspn(triple, "-") + 1;
    for (const struct isa *const *i = isa_registry; *i; i++)
        if (strncmp((*i)->triple, triple, n) == 0)
            return *i;
    return NULL;
}

const struct isa *isa_of_elf(unsigned machine, bool big_endian)
{
    for (const struct isa *const *i = isa_registry; *i; i++)
        if ((*i)->elf_machine == machine && (*i)->big_endian == big_endian)
            return *i;
    return NULL;
}

/* Of this program; the linker makes it. */
/* NOLINTNEXTLINE(bugprone-reserved-identifier) */
extern const Elf64_Ehdr __ehdr_start __attribute__((visibility("hidden")));

const struct isa *isa_host(void)
{
    return isa_of_elf(__ehdr_start.e_machine,
                      __ehdr_start.e_ident[EI_DATA] == ELFDATA2MSB);
}

bool isa_is_pause(const char *intrinsic)
{
    for (const struct isa *const *i = isa_registry; *i; i++)
        if ((*i)->pause && strcmp((*i)->pause, intrinsic) == 0)
            return true;
    return false;
}

void isa_print_names(char *buf, size_t cap)
{
    size_t n = 0;
    buf[0] = '\0';
    for (const struct isa *const *i = isa_registry; *i && n < cap; i++)
        n += (size_t)snprintf(buf + n, cap - n, "%s%s",
                              n == 0 ? ""
                              : i[1] ? ", "
                                     : " or ",
                              (*i)->name);
}
