/* Any text is a mapping or an error; a mapping can be asked for every row and
 * printed, and what is printed can be read again. */
#include "mappings/mapping.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ask(const struct mapping *m)
{
    char text[MAP_TEMPLATE_MAX];
    struct err err;
    for (unsigned i = 0; i < MAP_OPS * MAP_ORDER_PAIRS * MAP_WIDTHS * 2; i++) {
        struct map_key key = {
            .op = (enum map_op)(i / (MAP_ORDER_PAIRS * MAP_WIDTHS * 2)),
            .order = (enum map_order)(i / (MAP_ORDERS * MAP_WIDTHS * 2) %
                                      MAP_ORDERS),
            .failure = (enum map_order)(i / (MAP_WIDTHS * 2) % MAP_ORDERS),
            .width = i / 2 % MAP_WIDTHS,
            .unused = i % 2};
        const struct map_template *t = mapping_find(m, &key);
        if (t)
            mapping_expand(m, &key, t, text, &err);
    }
}

/* The text that it prints, to be freed. */
static char *print(const struct mapping *m)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    if (!out)
        return NULL;
    mapping_print(m, out);
    fclose(out);
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct mapping m, again;
    struct err err = {0};
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    if (mapping_load_text(&m, "fuzz.map", text, &err)) {
        ask(&m);
        char *printed = print(&m);
        if (printed && m.n_templates > 0 &&
            !mapping_load_text(&again, "again.map", printed, &err))
            abort();
        if (printed && m.n_templates > 0)
            mapping_release(&again);
        free(printed);
    } else if (!err.text[0]) {
        abort(); /* a failure must say why */
    }
    mapping_release(&m);
    free(text);
    return 0;
}
