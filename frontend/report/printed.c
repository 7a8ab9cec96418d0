#include "frontend/report/printed.h"

#include "core/mem.h"

#include <stdio.h>
#include <string.h>

size_t printed_escape(unsigned char byte, char *buf)
{
    if (byte == '"' || byte == '\\')
        return (size_t)sprintf(buf, "\\%c", byte);
    if (byte == '\n')
        return (size_t)sprintf(buf, "\\n");
    if (byte < ' ' || byte == 127)
        return (size_t)sprintf(buf, "\\%03o", byte);
    return (size_t)sprintf(buf, "%c", byte);
}

static bool is_piece(const struct outcome_item *item, uint32_t thread)
{
    return item->kind == OUTCOME_PRINTED && item->name == thread;
}

static bool has_before(const struct outcome_item *raw, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        if (is_piece(&raw[k], raw[i].name))
            return true;
    return false;
}

char *printed_next(const struct outcome_item *raw, uint32_t n, uint32_t *at)
{
    uint32_t i = *at;
    while (i < n && (raw[i].kind != OUTCOME_PRINTED || has_before(raw, i)))
        i++;
    *at = i + 1;
    if (i >= n)
        return NULL;
    char *text = mem_resize(NULL, 40);
    size_t k =
        (size_t)snprintf(text, 40, "T%u prints \"", (unsigned)raw[i].name);
    uint32_t thread = raw[i].name;
    for (; i < n; i++) {
        if (!is_piece(&raw[i], thread))
            continue;
        text = mem_resize(text, k + raw[i].size * PRINTED_ESCAPED + 2);
        for (unsigned b = 0; b < raw[i].size; b++)
            k += printed_escape((unsigned char)(raw[i].value >> b * 8),
                                text + k);
    }
    memcpy(text + k, "\"", 2);
    return text;
}
