/* Any text is a model or an error, and a model can be asked: no crash, no hang,
 * and check and judge agree on a small graph. */
#include "models/model_load.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static event_id add(struct graph *g, thread_id t, bool write, loc_id loc)
{
    struct label l = {.kind = write ? LABEL_WRITE : LABEL_READ,
                      .size = 4,
                      .tags = TAG_BIT(write ? TAG_W : TAG_R) |
                              TAG_BIT(TAG_RLX) | TAG_BIT(TAG_ATOMIC),
                      .loc = loc,
                      .value = 1};
    return graph_add(g, t, &l);
}

/* Store buffering, which some models allow. */
static void ask(const struct model *m)
{
    struct graph g;
    struct broken why;
    struct model_instance *in = m->instantiate(m);
    graph_init(&g, m->n_rows);
    bool good = m->judge(m, &g, NULL);
    for (thread_id t = 0; t < 2; t++) {
        graph_start_thread(&g, t, 0, EVENT_NONE);
        for (int second = 0; second < 2; second++) {
            event_id e = add(&g, t, !second, second ? 1 - t : t);
            if (second)
                graph_set_rf(&g, e, EVENT_INIT, 0);
            else
                graph_insert_co(&g, e, EVENT_INIT);
            m->enter(in, &g, e);
            bool now =
                m->check(in, &g, e) && (!m->has_final || m->final(in, &g));
            bool all = m->judge(m, &g, &why);
            if (good && now != all)
                abort();
            good = good && all;
            if (m->has_flags)
                m->flagged(in, &g, e, &why);
        }
    }
    graph_release(&g);
    m->dismiss(in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    struct model m;
    struct err err = {0};
    if (model_load_text(&m, "fuzz.cat", text, &err)) {
        ask(&m);
        m.release(&m);
    } else if (!err.text[0]) {
        abort(); /* a failure must say why */
    }
    free(text);
    return 0;
}
