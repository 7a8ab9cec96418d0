/* Library functions as labels: threads, locks, the heap, strings, and words to
 * the checker. */
#include "tests/harness/source_driver.h"

#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

#define THREADS "#include <pthread.h>\n#include <threads.h>\n"
#define EXPECT(text, trace) \
    TEST_ASSERT_EQUAL_STRING(trace, driver_trace_of(text))

static void threads_take_an_argument_and_return_a_result(void)
{
    EXPECT(THREADS "void *f(void *p) { return (char *)p + 1; }\n"
                   "int main(void) { pthread_t t[2]; void *r;\n"
                   "  for (long i = 0; i < 2; i++)\n"
                   "    pthread_create(&t[i], 0, f, (void *)(i + 5));\n"
                   "  pthread_join(t[0], &r); pthread_join(t[1], 0);\n"
                   "  return (long)r; }",
           "0: create 1\n0: create 2\n1: end 6\n2: end 7\n"
           "0: join 1=6\n0: join 2=7\n0: end 6\n");
}

static void c11_threads_return_an_int(void)
{
    EXPECT(THREADS "int f(void *p) { if (p) thrd_exit(-2); return -1; }\n"
                   "int main(void) { thrd_t a, b; int r;\n"
                   "  thrd_create(&a, f, 0); thrd_create(&b, f, &a);\n"
                   "  thrd_join(a, &r); thrd_join(b, 0); return r == -1; }",
           "0: alloc a 8 zero\n"
           "0: W a=29697 na 8\n0: create 1\n0: create 2\n0: R a=29697 na 8\n"
           "1: end 4294967295\n2: end -2\n"
           "0: join 1=4294967295\n0: join 2=-2\n0: end 1\n");
}

static void the_handle_is_there_when_the_thread_starts(void)
{
    EXPECT(THREADS
           "pthread_t t;\n"
           "void *f(void *p) { return (void *)(long)pthread_equal(\n"
           "  t, pthread_self()); }\n"
           "int main(void) { pthread_create(&t, 0, f, 0); pthread_detach(t); }",
           "0: W t=29697 na 8\n0: create 1\n0: R t=29697 na 8\n0: end 0\n"
           "1: R t=29697 na 8\n1: end 1\n");
}

static void a_mutex_is_a_word(void)
{
    EXPECT(THREADS "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
                   "void *f(void *p) { return (void *)(long)(\n"
                   "  pthread_mutex_trylock(&m) == 16); }\n"
                   "int main(void) { pthread_t t; pthread_mutex_lock(&m);\n"
                   "  pthread_create(&t, 0, f, 0); pthread_join(t, 0);\n"
                   "  pthread_mutex_unlock(&m); }",
           "0: uR m=0 acq lock\n0: uW m=1 rlx\n"
           "0: create 1\n1: uR m=1 acq/rlx\n1: end 1\n"
           "0: join 1=1\n0: W m=0 rel\n0: end 0\n");
}

static void a_thread_that_finds_a_mutex_taken_blocks(void)
{
    EXPECT(THREADS "mtx_t m; int f(void *p) { mtx_lock(&m); return 0; }\n"
                   "int main(void) { thrd_t t; mtx_lock(&m);\n"
                   "  thrd_create(&t, f, 0); }",
           "0: uR m=0 acq lock\n0: uW m=1 rlx\n0: create 1\n0: end 0\n"
           "1: uR m=1 acq lock\n1: block lock\n");
}

static void recursive_mutexes_count(void)
{
    EXPECT(THREADS "mtx_t m; int main(void) { mtx_init(&m, mtx_recursive);\n"
                   "  mtx_lock(&m); mtx_lock(&m); mtx_unlock(&m);\n"
                   "  mtx_unlock(&m); mtx_destroy(&m); }",
           "0: W m=0 na\n0: W m+16=1 na\n0: uR m=0 acq lock\n0: uW m=1 rlx\n"
           "0: R m+16=1 na\n0: W m=0 rel\n0: R m=0 rlx\n0: end 0\n");
}

static void misuse_of_mutexes(void)
{
    EXPECT(THREADS "pthread_mutex_t m;\n"
                   "int main(void) { pthread_mutex_unlock(&m); }",
           "0: t.c:4: unlock of a mutex that the thread does not hold\n");
    EXPECT(THREADS "mtx_t m; int main(void) { mtx_lock(&m);\n"
                   "  mtx_lock(&m); }",
           "0: uR m=0 acq lock\n0: uW m=1 rlx\n0: R m+16=0 na\n"
           "0: t.c:4: lock of a mutex that the thread holds already\n");
    EXPECT(THREADS "mtx_t m; int main(void) { mtx_lock(&m);\n"
                   "  mtx_destroy(&m); }",
           "0: uR m=0 acq lock\n0: uW m=1 rlx\n"
           "0: t.c:4: destroy of a locked mutex\n");
}

static void barriers_count_arrivals(void)
{
    EXPECT(THREADS
           "pthread_barrier_t b;\n"
           "void *f(void *p) { return (void *)(long)\n"
           "  pthread_barrier_wait(&b); }\n"
           "int main(void) { pthread_t t; pthread_barrier_init(&b, 0, 2);\n"
           "  pthread_create(&t, 0, f, 0); pthread_join(t, 0);\n"
           "  pthread_barrier_wait(&b); }",
           "0: W b=0 na\n0: W b+4=2 na\n0: create 1\n"
           "1: R b+4=2 rlx\n1: uR b=0 acq\n"
           "1: uW b=1 rel\n1: R b=1 acq\n"
           "1: block spin\n0: join 1=0\n0: R b+4=2 rlx\n"
           "0: uR b=1 acq\n0: uW b=2 rel\n0: end 0\n");
}

static void once_calls_once(void)
{
    EXPECT(THREADS "int n; once_flag o; void f(void) { n++; }\n"
                   "int main(void) { call_once(&o, f); call_once(&o, f); }",
           "0: uR o=0 acq\n0: uW o=1 rlx\n0: R n=0 na\n"
           "0: W n=1 na\n0: W o=2 rel\n0: uR o=2 acq\n"
           "0: end 0\n");
}

static void semaphores(void)
{
    EXPECT("#include <semaphore.h>\n"
           "sem_t s; int main(void) { sem_init(&s, 0, 0); sem_post(&s);\n"
           "  sem_wait(&s); if (sem_trywait(&s) == -1) sem_wait(&s); }",
           "0: W s=0 na\n0: uR s=0 rlx\n"
           "0: uW s=1 rel\n0: uR s=1 acq/rlx\n"
           "0: uW s=0 rlx\n0: uR s=0 acq/rlx\n"
           "0: uR s=0 acq/rlx\n0: block lock\n");
}

static void a_wait_ends_with_the_next_signal(void)
{
    EXPECT(THREADS "mtx_t m; cnd_t c;\n"
                   "int main(void) { mtx_lock(&m); cnd_signal(&c);\n"
                   "  cnd_wait(&c, &m); }",
           "0: uR m=0 acq lock\n0: uW m=1 rlx\n0: uR c=0 rlx\n"
           "0: uW c=1 rlx\n0: R c=1 rlx\n0: W m=0 rel\n0: R c=1 rlx\n"
           "0: block lock\n");
}

static void read_write_locks(void)
{
    EXPECT(THREADS "pthread_rwlock_t l;\n"
                   "int main(void) { pthread_rwlock_rdlock(&l);\n"
                   "  pthread_rwlock_rdlock(&l); pthread_rwlock_unlock(&l);\n"
                   "  pthread_rwlock_unlock(&l); pthread_rwlock_wrlock(&l);\n"
                   "  pthread_rwlock_unlock(&l); pthread_rwlock_unlock(&l); }",
           "0: uR l=0 acq/rlx\n"
           "0: uW l=1 rlx\n"
           "0: uR l=1 acq/rlx\n"
           "0: uW l=2 rlx\n"
           "0: uR l=2 rlx\n0: uW l=1 rel\n"
           "0: uR l=1 rlx\n0: uW l=0 rel\n"
           "0: uR l=0 acq/rlx\n"
           "0: uW l=2147483648 rlx\n"
           "0: W l=0 rel\n"
           "0: t.c:7: unlock of a read-write lock that the thread does not "
           "hold\n");
}

static void the_heap(void)
{
    EXPECT("#include <stdlib.h>\n"
           "int main(void) { int *p = malloc(8), *q = calloc(2, 4);\n"
           "  p[1] = 1; p = realloc(p, 16); free(q); free(p); free(0); }",
           "0: alloc malloc#1 8\n0: alloc malloc#2 8 zero\n"
           "0: W malloc#1+4=1 na\n0: alloc malloc#3 16\n"
           "0: R malloc#1=0 na\n0: R malloc#1+4=1 na\n"
           "0: W malloc#3=4294967296 na 8\n"
           "0: free malloc#1\n0: free malloc#2\n0: free malloc#3\n"
           "0: end 0\n");
}

static void allocations_are_numbered_by_thread(void)
{
    EXPECT(THREADS
           "#include <stdlib.h>\n"
           "void *f(void *p) { return malloc(1); }\n"
           "int main(void) { pthread_t t; void *r; pthread_create(&t, 0, f,\n"
           "  0); pthread_join(t, &r); free(r); }",
           "0: create 1\n1: alloc malloc#1.1 1\n1: end 17729624997888\n"
           "0: join 1=17729624997888\n0: free malloc#1.1\n0: end 0\n");
}

static void memory_that_cannot_be_had(void)
{
    EXPECT("#include <stdlib.h>\n"
           "int main(void) { void *p; return !malloc(1ul << 63) +\n"
           "  !calloc(1ul << 40, 1ul << 40) + posix_memalign(&p, 3, 1); }",
           "0: alloc p 8 zero\n0: end 24\n");
}

static void strings_are_read_byte_by_byte(void)
{
    EXPECT("#include <string.h>\n"
           "char s[4] = \"ab\", t[4];\n"
           "int main(void) { strcpy(t, s); return strlen(t) +\n"
           "  strcmp(t, \"ab\") + (strchr(t, 'b') - t); }",
           "0: R s[0]=97 na 1\n0: W t[0]=97 na 1\n0: R s[1]=98 na 1\n"
           "0: W t[1]=98 na 1\n0: R s[2]=0 na 1\n0: W t[2]=0 na 1\n"
           "0: R t[0]=97 na 1\n0: R t[1]=98 na 1\n0: R t[2]=0 na 1\n"
           "0: R t[0]=97 na 1\n0: R t[1]=98 na 1\n0: R t[2]=0 na 1\n"
           "0: R t[0]=97 na 1\n0: R t[1]=98 na 1\n0: end 3\n");
}

static void copies_may_overlap(void)
{
    EXPECT("#include <string.h>\n"
           "char a[5] = {1, 2, 3, 4};\n"
           "int main(void) { int n = a[0]; memmove(a + n, a, 4);\n"
           "  return a[4] * 1000 + a[3] * 100 + a[2] * 10 + a[1]; }",
           "0: R a[0]=1 na 1\n0: R a[0]=1 na 1\n0: R a[1]=2 na 1\n"
           "0: R a[2]=3 na 1\n0: R a[3]=4 na 1\n0: W a[1]=1 na 1\n"
           "0: W a[2]=2 na 1\n0: W a[3]=3 na 1\n0: W a[4]=4 na 1\n"
           "0: R a[4]=4 na 1\n0: R a[3]=3 na 1\n0: R a[2]=2 na 1\n"
           "0: R a[1]=1 na 1\n0: end 4321\n");
}

static void words_to_the_checker(void)
{
    EXPECT("#include <hwcheck.h>\n"
           "int main(void) { observe(\"r\", hwc_choose(-3, 4));\n"
           "  observe(\"b\", __VERIFIER_nondet_bool());\n"
           "  observe(\"i\", __VERIFIER_nondet_int());\n"
           "  hwc_assume(hwc_thread_number() == 0); hwc_assume(0); }",
           "0: choose 0 of 8\n0: observe r=-3\n0: choose 0 of 2\n"
           "0: observe b=0\n0: t.c:4: \n0: choose 0 of 4\n0: observe i=0\n"
           "0: block assume\n");
}

static void the_end_of_the_program(void)
{
    EXPECT("#include <assert.h>\nint x; int main(void) {\n assert(x == 1); }",
           "0: R x=0 na\n0: t.c:3: assertion 'x == 1' failed\n");
    EXPECT("#include <stdlib.h>\nint main(void) {\n abort(); }",
           "0: t.c:3: abort called\n");
    EXPECT("#include <stdlib.h>\nint main(void) { exit(3); }", "0: end 3\n");
    EXPECT("int main(void) {\n __builtin_unreachable(); }",
           "0: t.c:2: code that the program declares unreachable\n");
    EXPECT("void reach_error(void); int main(void) {\n reach_error(); }",
           "0: t.c:2: error function called\n");
}

static void errno_is_of_the_thread(void)
{
    EXPECT("#include <errno.h>\nint main(void) { errno = 4; return errno; }",
           "0: W errno@0=4 na\n0: R errno@0=4 na\n0: end 4\n");
}

static void atomic_sections_are_a_mutex(void)
{
    EXPECT("void __VERIFIER_atomic_begin(void);\n"
           "void __VERIFIER_atomic_end(void);\n"
           "int x; int main(void) { __VERIFIER_atomic_begin(); x = 1;\n"
           "  __VERIFIER_atomic_end(); }",
           "0: uR atomic section=0 acq lock\n0: uW atomic section=1 rlx\n"
           "0: W x=1 na\n0: W atomic section=0 rel\n0: end 0\n");
}

static void functions_may_be_passed_around(void)
{
    EXPECT("#include <stdlib.h>\n#include <math.h>\n"
           "static double on(double (*f)(double), double x) { return f(x); }\n"
           "static void *(*const get)(size_t) = malloc;\n"
           "int main(void) { double (*f)(double) = sqrt;\n"
           "  if (!get(1)) f = floor; return on(f, 16.0); }",
           "0: alloc malloc#1 1\n0: end 4\n");
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(threads_take_an_argument_and_return_a_result);
    RUN_TEST(c11_threads_return_an_int);
    RUN_TEST(the_handle_is_there_when_the_thread_starts);
    RUN_TEST(a_mutex_is_a_word);
    RUN_TEST(a_thread_that_finds_a_mutex_taken_blocks);
    RUN_TEST(recursive_mutexes_count);
    RUN_TEST(misuse_of_mutexes);
    RUN_TEST(barriers_count_arrivals);
    RUN_TEST(once_calls_once);
    RUN_TEST(semaphores);
    RUN_TEST(a_wait_ends_with_the_next_signal);
    RUN_TEST(read_write_locks);
    RUN_TEST(the_heap);
    RUN_TEST(allocations_are_numbered_by_thread);
    RUN_TEST(memory_that_cannot_be_had);
    RUN_TEST(strings_are_read_byte_by_byte);
    RUN_TEST(copies_may_overlap);
    RUN_TEST(words_to_the_checker);
    RUN_TEST(the_end_of_the_program);
    RUN_TEST(errno_is_of_the_thread);
    RUN_TEST(atomic_sections_are_a_mutex);
    RUN_TEST(functions_may_be_passed_around);
    return UNITY_END();
}
