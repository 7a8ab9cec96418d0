/* Graphs, paths, locations, texts and outcomes, each on its own. */
#include "core/graph.h"
#include "core/location.h"
#include "core/outcome.h"
#include "core/path.h"
#include "core/program.h"
#include "core/wide.h"

#include <unity.h>

#include <string.h>

#define T(tag) TAG_BIT(TAG_##tag)

static struct graph g;
static char why[200];

void setUp(void)
{
    graph_init(&g, 2);
    graph_start_thread(&g, 0, 0, EVENT_NONE);
    graph_start_thread(&g, 1, 0, EVENT_NONE);
}

void tearDown(void)
{
    graph_release(&g);
}

static event_id write_to(thread_id t, loc_id loc, uint64_t value)
{
    struct label l = {
        .kind = LABEL_WRITE, .tags = T(W), .loc = loc, .value = value};
    event_id e = graph_add(&g, t, &l);
    event_id last = g.locs[loc].co_last;
    graph_insert_co(&g, e, last == EVENT_NONE ? EVENT_INIT : last);
    return e;
}

static event_id read_of(thread_id t, loc_id loc, event_id source)
{
    struct label l = {.kind = LABEL_READ, .tags = T(R), .loc = loc};
    event_id e = graph_add(&g, t, &l);
    graph_set_rf(&g, e, source, 7);
    return e;
}

static void assert_sound(void)
{
    TEST_ASSERT_TRUE_MESSAGE(graph_check(&g, why, sizeof why), why);
}

static void cause_follows_po_and_rf(void)
{
    event_id a = write_to(0, 0, 1);
    event_id b = write_to(0, 1, 1);
    event_id c = read_of(1, 1, b);
    event_id d = write_to(1, 0, 2);
    TEST_ASSERT_TRUE(row_has(graph_row(&g, d, ROW_CAUSE), a));
    TEST_ASSERT_TRUE(row_has(graph_row(&g, d, ROW_PO), c));
    TEST_ASSERT_FALSE(row_has(graph_row(&g, d, ROW_PO), a));
    TEST_ASSERT_EQUAL_UINT64(1, g.events[c].value);
    assert_sound();
}

static void a_read_that_changes_its_source_forgets_the_old_one(void)
{
    event_id a = write_to(0, 0, 1);
    event_id r = read_of(1, 0, a);
    graph_set_rf(&g, r, EVENT_INIT, 7);
    TEST_ASSERT_EQUAL_UINT64(7, g.events[r].value);
    TEST_ASSERT_FALSE(row_has(graph_row(&g, r, ROW_CAUSE), a));
    TEST_ASSERT_FALSE(row_has(graph_row(&g, a, ROW_READERS), r));
    TEST_ASSERT_TRUE(row_has(graph_init_row(&g, 0), r));
    assert_sound();
}

static void pop_undoes_add(void)
{
    event_id a = write_to(0, 0, 1);
    struct graph before = {0};
    graph_init(&before, 2);
    graph_copy(&before, &g);
    read_of(1, 0, a);
    write_to(1, 0, 2);
    graph_pop(&g);
    graph_pop(&g);
    TEST_ASSERT_EQUAL_UINT32(before.n, g.n);
    TEST_ASSERT_EQUAL_UINT32(before.locs[0].co_last, g.locs[0].co_last);
    TEST_ASSERT_EQUAL_MEMORY(before.sets, g.sets,
                             TAG_COUNT * g.words * sizeof *g.sets);
    assert_sound();
    graph_release(&before);
}

static void restriction_keeps_order_and_moves_threads_back(void)
{
    event_id a = write_to(0, 0, 1);
    event_id b = write_to(0, 1, 1);
    event_id c = write_to(1, 0, 2);
    uint64_t keep = 0;
    row_add(&keep, a);
    row_add(&keep, c);
    graph_restrict(&g, &keep);
    TEST_ASSERT_EQUAL_UINT32(2, g.n);
    TEST_ASSERT_EQUAL_UINT32(a, g.order[0]);
    TEST_ASSERT_EQUAL_UINT32(c, g.order[1]);
    TEST_ASSERT_EQUAL_UINT32(a, g.threads[0].last);
    TEST_ASSERT_EQUAL_UINT32(EVENT_NONE, g.locs[1].co_first);
    assert_sound();
    TEST_ASSERT_EQUAL_UINT32(b, write_to(0, 1, 5));
}

static void graphs_grow_past_a_word(void)
{
    event_id first = write_to(0, 0, 0);
    for (unsigned i = 1; i < 300; i++)
        write_to(i % 2, i % 40, i);
    event_id r = read_of(1, 0, first);
    TEST_ASSERT_EQUAL_UINT32(301, g.n);
    TEST_ASSERT_TRUE(g.words >= 5);
    TEST_ASSERT_TRUE(row_has(graph_row(&g, r, ROW_CAUSE), first));
    assert_sound();
    struct graph copy = {0};
    graph_init(&copy, 2);
    graph_copy(&copy, &g);
    TEST_ASSERT_TRUE_MESSAGE(graph_check(&copy, why, sizeof why), why);
    graph_release(&copy);
    while (g.n)
        graph_pop(&g);
    assert_sound();
}

static void a_child_follows_its_creation_and_a_join_its_child(void)
{
    struct label create = {.kind = LABEL_CREATE, .tags = T(CREATE) | T(F)};
    struct label join = {.kind = LABEL_JOIN, .tags = T(JOIN) | T(F)};
    event_id a = write_to(0, 0, 1);
    event_id c = graph_add(&g, 0, &create);
    graph_start_thread(&g, 2, 0, c);
    event_id b = write_to(2, 1, 1);
    TEST_ASSERT_TRUE(row_has(graph_row(&g, b, ROW_PO), a));
    event_id j = graph_add(&g, 0, &join);
    graph_join(&g, j, 2);
    TEST_ASSERT_TRUE(row_has(graph_row(&g, j, ROW_PO), b));
    assert_sound();
}

static void a_smaller_access_cuts_a_granule_and_asks_for_a_restart(void)
{
    struct locations ls;
    locations_init(&ls);
    TEST_ASSERT_EQUAL_UINT(8, locations_piece(&ls, 64, 100));
    locations_get(&ls, 64, 8, 0, LOC_NONE);
    TEST_ASSERT_FALSE(ls.stale);
    TEST_ASSERT_EQUAL_UINT(4, locations_piece(&ls, 68, 4));
    TEST_ASSERT_TRUE(ls.stale);
    locations_restart(&ls);
    TEST_ASSERT_EQUAL_UINT(4, locations_piece(&ls, 64, 100));
    TEST_ASSERT_EQUAL_UINT(0, ls.n);
    locations_release(&ls);
}

static void an_atomic_access_does_not_split(void)
{
    struct locations ls;
    locations_init(&ls);
    TEST_ASSERT_FALSE(locations_whole(&ls, 66, 4));
    TEST_ASSERT_TRUE(locations_whole(&ls, 64, 4));
    loc_id a = locations_get(&ls, 64, 4, 3, LOC_NONE);
    TEST_ASSERT_EQUAL_UINT32(a, locations_get(&ls, 64, 4, 3, LOC_NONE));
    TEST_ASSERT_EQUAL_UINT(2, locations_piece(&ls, 80, 2));
    TEST_ASSERT_FALSE(locations_whole(&ls, 80, 8));
    TEST_ASSERT_NOT_EQUAL_UINT32(locations_object(&ls, 64), a);
    locations_release(&ls);
}

static void sixteen_bytes_are_one_until_less_is_taken(void)
{
    struct locations ls;
    locations_init(&ls);
    TEST_ASSERT_FALSE(locations_whole(&ls, 72, 16));
    TEST_ASSERT_TRUE(locations_whole(&ls, 64, 16));
    loc_id a = locations_get(&ls, 64, 16, 0, LOC_NONE);
    TEST_ASSERT_TRUE(locations_has(&ls, 64, 16));
    TEST_ASSERT_EQUAL_UINT(16, locations_piece(&ls, 64, 100));
    TEST_ASSERT_EQUAL_UINT32(a, locations_get(&ls, 64, 16, 0, LOC_NONE));
    TEST_ASSERT_TRUE(locations_in_pair(&ls, 79));
    TEST_ASSERT_FALSE(locations_in_pair(&ls, 80));
    TEST_ASSERT_FALSE(ls.stale);
    TEST_ASSERT_EQUAL_UINT(4, locations_piece(&ls, 72, 4));
    TEST_ASSERT_TRUE(ls.stale);
    locations_restart(&ls);
    TEST_ASSERT_FALSE(locations_whole(&ls, 64, 16));
    TEST_ASSERT_EQUAL_UINT(8, locations_piece(&ls, 64, 100));
    locations_release(&ls);
}

static void two_words_in_use_become_one(void)
{
    struct locations ls;
    locations_init(&ls);
    TEST_ASSERT_EQUAL_UINT(8, locations_piece(&ls, 72, 8));
    locations_get(&ls, 72, 8, 0, LOC_NONE);
    TEST_ASSERT_TRUE(locations_whole(&ls, 64, 16));
    TEST_ASSERT_TRUE(ls.stale);
    locations_restart(&ls);
    TEST_ASSERT_EQUAL_UINT(16, locations_piece(&ls, 64, 16));
    TEST_ASSERT_TRUE(locations_whole(&ls, 64, 16));
    /* An atomic access of 8 bytes is another size. */
    locations_get(&ls, 64, 16, 0, LOC_NONE);
    TEST_ASSERT_TRUE(locations_whole(&ls, 72, 8));
    TEST_ASSERT_TRUE(ls.stale);
    locations_release(&ls);
}

static void wide_values_have_one_word_each(void)
{
    struct wides w = {0};
    const struct wide values[] = {
        {0, 0},
        {5, 0},
        {INT64_MAX, 0},
        {UINT64_MAX, 0},
        {0, 1},
        {5, UINT64_MAX},
        {0, 5},
        {(uint64_t)1 << 63, 0},
        {1, (uint64_t)1 << 63},
    };
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
            uint64_t word = wides_word(&w, values[i]);
            struct wide back = wides_value(&w, word);
            TEST_ASSERT_EQUAL_UINT64(values[i].low, back.low);
            TEST_ASSERT_EQUAL_UINT64(values[i].high, back.high);
            TEST_ASSERT_EQUAL(i < 3, word == values[i].low);
        }
    TEST_ASSERT_EQUAL_UINT32(6, w.n);
    for (uint64_t i = 0; i < 1000; i++)
        wides_word(&w, (struct wide){i, i + 7});
    TEST_ASSERT_EQUAL_UINT32(1006, w.n);
    TEST_ASSERT_EQUAL_UINT64(
        501, wides_value(&w, wides_word(&w, (struct wide){501, 508})).low);
    wides_release(&w);
}

static void a_guess_gives_way_to_an_atomic_access(void)
{
    struct locations ls;
    locations_init(&ls);
    for (uint64_t addr = 64; addr < 96; addr += 8) {
        TEST_ASSERT_EQUAL_UINT(8, locations_piece(&ls, addr, 96 - addr));
        locations_get(&ls, addr, 8, 0, LOC_NONE);
    }
    TEST_ASSERT_EQUAL_UINT(4, locations_piece(&ls, 64, 4));
    TEST_ASSERT_TRUE(ls.stale);
    locations_restart(&ls);
    TEST_ASSERT_EQUAL_UINT(4, locations_piece(&ls, 72, 24));
    TEST_ASSERT_TRUE(locations_whole(&ls, 80, 8));
    TEST_ASSERT_FALSE(ls.stale);
    TEST_ASSERT_EQUAL_UINT(8, locations_piece(&ls, 80, 8));
    TEST_ASSERT_FALSE(locations_whole(&ls, 64, 8));
    locations_release(&ls);
}

static void equal_texts_and_places_have_one_id(void)
{
    struct program p;
    char buf[50];
    program_init(&p);
    for (unsigned i = 0; i < 300; i++) {
        snprintf(buf, sizeof buf, "text %u", i % 150);
        TEST_ASSERT_EQUAL_UINT32(1 + i % 150, program_text(&p, buf));
    }
    place_id a = program_place(&p, "a.c", "f", 3, 1);
    TEST_ASSERT_EQUAL_UINT32(a, program_place(&p, "a.c", "f", 3, 1));
    program_print_place(&p, a, buf, sizeof buf);
    TEST_ASSERT_EQUAL_STRING("a.c:3", buf);
    program_release(&p);
}

/* A thread that reads twice: labels follow from the values. */
static bool two_reads(void *self, struct path *path, node_id at, uint64_t value,
                      struct err *err)
{
    (void)self, (void)err;
    uint64_t values[4];
    uint32_t n = path_values(path, at, values, 4);
    bool root = path_label(path, at)->kind == LABEL_START;
    struct label l = {.kind = LABEL_READ};
    if (!root && n == 1)
        l = (struct label){.kind = LABEL_END, .value = values[0] * 10 + value};
    path_append(path, at, value, &l);
    return true;
}

static void a_path_is_asked_for_once(void)
{
    struct runtime runtime = {.name = "two", .extend = two_reads};
    struct path p;
    struct err err;
    path_init(&p, &runtime);
    node_id root = path_root(&p, 0, 0, 0);
    for (unsigned round = 0; round < 2; round++)
        for (uint64_t a = 0; a < 3; a++)
            for (uint64_t b = 0; b < 3; b++) {
                node_id n = path_step(&p, root, 0, &err);
                n = path_step(&p, n, a, &err);
                n = path_step(&p, n, b, &err);
                TEST_ASSERT_EQUAL_UINT64(a * 10 + b, path_label(&p, n)->value);
            }
    TEST_ASSERT_EQUAL_UINT64(1 + 3 + 9, p.misses);
    path_release(&p);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(cause_follows_po_and_rf);
    RUN_TEST(a_read_that_changes_its_source_forgets_the_old_one);
    RUN_TEST(pop_undoes_add);
    RUN_TEST(restriction_keeps_order_and_moves_threads_back);
    RUN_TEST(graphs_grow_past_a_word);
    RUN_TEST(a_child_follows_its_creation_and_a_join_its_child);
    RUN_TEST(a_smaller_access_cuts_a_granule_and_asks_for_a_restart);
    RUN_TEST(an_atomic_access_does_not_split);
    RUN_TEST(a_guess_gives_way_to_an_atomic_access);
    RUN_TEST(sixteen_bytes_are_one_until_less_is_taken);
    RUN_TEST(two_words_in_use_become_one);
    RUN_TEST(wide_values_have_one_word_each);
    RUN_TEST(equal_texts_and_places_have_one_id);
    RUN_TEST(a_path_is_asked_for_once);
    return UNITY_END();
}
