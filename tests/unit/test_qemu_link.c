/* The turns of hwcheck and the QEMU plugin, without QEMU. In its place this
 * program is started again (as `test_qemu_link [-cpu MODE] -plugin ,fd=N ...`):
 * it plays the plugin, or fails as QEMU may; or it sleeps, and a thread here
 * plays the plugin, so that the thread sanitizer sees both sides. */
#include "hw/qemu/qemu_link.h"

#include "unity.h"

#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define TURNS 3000

void setUp(void)
{
}
void tearDown(void)
{
}

/* ---- the plugin's side */

static bool yes(void *self)
{
    (void)self;
    return true;
}

static bool has_parent(void *self)
{
    return getppid() == *(const pid_t *)self;
}

static void pause_for(uint64_t us)
{
    struct timespec t = {0, (long)us * 1000};
    nanosleep(&t, NULL);
}

/* Each record is the sum of the feeds up to there, plus the thread's number. */
static void answer(struct wire *w)
{
    uint64_t sum = w->thread;
    for (w->n_records = 0; w->n_records < w->n_feeds; w->n_records++) {
        sum += w->feeds[w->n_records].addr;
        w->records[w->n_records].addr = sum;
    }
}

/* Says that it is ready and answers until it is told to end, or so many times,
 * and keeps the turn then. */
static void serve(struct wire *w, unsigned times, bool (*go_on)(void *),
                  void *self)
{
    struct turn_patience patience = {0};
    uint32_t status = STATUS_READY;
    for (unsigned n = 0; turn_wait(w, &patience, TURN_QEMU, 50, go_on, self);
         n++) {
        if (n > times)
            return;
        if (n > 0)
            answer(w);
        if (n % 16 == 7)
            pause_for(100); /* long enough for the other side to sleep */
        bool last = n > 0 && w->command == COMMAND_QUIT;
        w->status = status;
        status = STATUS_ENDED;
        turn_give(w, TURN_HOST);
        if (last)
            return;
    }
}

static void *serve_as_thread(void *wire)
{
    serve(wire, UINT_MAX, yes, NULL);
    return NULL;
}

/* ---- what stands for QEMU */

static int say(const char *text, int code)
{
    fputs(text, stderr);
    return code;
}

static struct wire *wire_of(const char *plugin)
{
    int fd = atoi(strstr(plugin, "fd=") + 3);
    return mmap(NULL, sizeof(struct wire), PROT_READ | PROT_WRITE, MAP_SHARED,
                fd, 0);
}

static int play_qemu(const char *mode, const char *plugin)
{
    pid_t parent = getppid();
    struct wire *w = wire_of(plugin);
    if (strcmp(mode, "sleeps") == 0)
        for (;;)
            pause();
    if (strcmp(mode, "has-no-plugins") == 0)
        return say("qemu: unknown option 'plugin'\n", 1);
    if (strcmp(mode, "fails") == 0)
        return say("cannot map\nthe image\n", 3);
    if (strcmp(mode, "refuses") == 0) {
        snprintf(w->message, sizeof w->message, "no such guest");
        w->status = STATUS_BAD;
        turn_give(w, TURN_HOST);
        pause();
    }
    if (strcmp(mode, "is-killed") == 0) {
        serve(w, 2, has_parent, &parent);
        raise(SIGKILL);
    }
    serve(w, UINT_MAX, has_parent, &parent);
    return 0;
}

/* ---- hwcheck's side */

static struct qemu_link start(const char *mode)
{
    struct qemu_link link;
    struct err err = {0};
    TEST_ASSERT_TRUE_MESSAGE(qemu_link_init(&link, &err), err.text);
    link.qemu = "/proc/self/exe";
    link.cpu = mode;
    link.plugin = "";
    link.image = dup(STDIN_FILENO);
    return link;
}

static void end(struct qemu_link *link)
{
    close(link->image);
    qemu_link_release(link);
}

static void ask(struct qemu_link *link, uint64_t turn)
{
    struct wire *w = link->wire;
    w->thread = (uint32_t)turn % 5;
    w->n_feeds = (uint32_t)(turn * 7 % 40);
    for (uint32_t i = 0; i < w->n_feeds; i++)
        w->feeds[i].addr = turn * i;
}

static void expect_answer(const struct qemu_link *link, uint64_t turn)
{
    const struct wire *w = link->wire;
    uint64_t sum = turn % 5;
    TEST_ASSERT_EQUAL(STATUS_ENDED, w->status);
    TEST_ASSERT_EQUAL(turn * 7 % 40, w->n_records);
    for (uint32_t i = 0; i < w->n_records; i++) {
        sum += turn * i;
        TEST_ASSERT_EQUAL(sum, w->records[i].addr);
    }
}

static void take_turns(struct qemu_link *link, unsigned number)
{
    struct err err = {0};
    for (uint64_t turn = 0; turn < number; turn++) {
        ask(link, turn);
        if (turn % 16 == 3)
            pause_for(100);
        TEST_ASSERT_EQUAL_MESSAGE(
            LINK_DONE, qemu_link_turn(link, COMMAND_RUN, &err), err.text);
        expect_answer(link, turn);
    }
}

static void what_is_said_in_a_turn_is_seen_in_the_next(void)
{
    struct qemu_link link = start("sleeps");
    pthread_t plugin;
    struct err err = {0};
    pthread_create(&plugin, NULL, serve_as_thread, link.wire);
    take_turns(&link, TURNS);
    TEST_ASSERT_EQUAL(TURNS, link.n_runs);
    TEST_ASSERT_EQUAL(1, link.n_starts);
    TEST_ASSERT_EQUAL(LINK_DONE, qemu_link_turn(&link, COMMAND_QUIT, &err));
    pthread_join(plugin, NULL);
    end(&link);
}

static void sides_may_be_processes(void)
{
    struct qemu_link link = start("serves");
    take_turns(&link, TURNS / 10);
    end(&link);
}

static void one_that_is_killed_is_replaced_once(void)
{
    struct qemu_link link = start("is-killed");
    struct err err = {0};
    take_turns(&link, 2);
    ask(&link, 2);
    TEST_ASSERT_EQUAL(LINK_AGAIN, qemu_link_turn(&link, COMMAND_RUN, &err));
    TEST_ASSERT_EQUAL(2, link.n_starts);
    take_turns(&link, 2);
    TEST_ASSERT_EQUAL(LINK_FAILED, qemu_link_turn(&link, COMMAND_RUN, &err));
    TEST_ASSERT_NOT_NULL(strstr(err.text, "QEMU failed twice"));
    TEST_ASSERT_NOT_NULL(strstr(err.text, "was killed by signal 9"));
    TEST_ASSERT_EQUAL(0, link.pid);
    end(&link);
}

static void expect_failure(const char *qemu, const char *mode,
                           unsigned timeout_ms, const char *why)
{
    struct qemu_link link = start(mode);
    struct err err = {0};
    link.timeout_ms = timeout_ms;
    link.qemu = qemu;
    TEST_ASSERT_EQUAL(LINK_FAILED, qemu_link_turn(&link, COMMAND_RUN, &err));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.text, why), err.text);
    TEST_ASSERT_EQUAL(0, link.pid);
    end(&link);
}

static void one_that_does_not_start_says_why(void)
{
    const char *self = "/proc/self/exe";
    expect_failure(self, "has-no-plugins", 20000, "has no plugins or is too");
    expect_failure(self, "fails", 20000, "did not start: cannot map;the image");
    expect_failure(self, "refuses", 20000, "/proc/self/exe: no such guest");
    expect_failure(self, "sleeps", 100, "gave no sign of life");
    expect_failure("/nowhere/qemu", NULL, 20000, "/nowhere/qemu cannot be run");
}

int main(int argc, char **argv)
{
    const char *mode = "serves";
    for (int i = 1; i + 1 < argc; i++) {
        if (strcmp(argv[i], "-cpu") == 0)
            mode = argv[i + 1];
        if (strcmp(argv[i], "-plugin") == 0)
            return play_qemu(mode, argv[i + 1]);
    }
    UNITY_BEGIN();
    RUN_TEST(what_is_said_in_a_turn_is_seen_in_the_next);
    RUN_TEST(sides_may_be_processes);
    RUN_TEST(one_that_is_killed_is_replaced_once);
    RUN_TEST(one_that_does_not_start_says_why);
    return UNITY_END();
}
