/* Loads, stores and atomic operations as labels. */
#include "tests/harness/source_driver.h"

#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

#define ATOMIC "#include <stdatomic.h>\n"
#define EXPECT(text, trace) \
    TEST_ASSERT_EQUAL_STRING(trace, driver_trace_of(text))

static void plain_accesses_are_non_atomic(void)
{
    EXPECT("int x = 3; volatile int y; int main(void) { y = x; return x; }",
           "0: R x=3 na\n0: W y=3 na\n0: R x=3 na\n0: end 3\n");
}

static void a_read_that_is_not_used_is_kept(void)
{
    EXPECT("int x; int main(void) { int unused = x; (void)unused; x; }",
           "0: R x=0 na\n0: R x=0 na\n0: end 0\n");
}

static void a_pure_function_that_is_not_needed_is_called(void)
{
    EXPECT("int x; __attribute__((pure, noinline)) int f(void) { return x; }\n"
           "int main(void) { f(); f(); }",
           "0: R x=0 na\n0: R x=0 na\n0: end 0\n");
}

static void orders_of_loads_and_stores(void)
{
    EXPECT(ATOMIC "atomic_int x;\n"
                  "int main(void) {\n"
                  "  atomic_store_explicit(&x, 1, memory_order_relaxed);\n"
                  "  atomic_store_explicit(&x, 2, memory_order_release);\n"
                  "  atomic_store(&x, 3);\n"
                  "  atomic_load_explicit(&x, memory_order_relaxed);\n"
                  "  atomic_load_explicit(&x, memory_order_acquire);\n"
                  "  return x;\n"
                  "}\n",
           "0: W x=1 rlx\n0: W x=2 rel\n0: W x=3 sc\n"
           "0: R x=3 rlx\n0: R x=3 acq\n0: R x=3 sc\n0: end 3\n");
}

static void each_half_of_an_rmw_has_its_part_of_the_order(void)
{
    EXPECT(ATOMIC "atomic_int x;\n"
                  "int main(void) {\n"
                  "  atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);\n"
                  "  atomic_fetch_add_explicit(&x, 1, memory_order_acquire);\n"
                  "  atomic_fetch_add_explicit(&x, 1, memory_order_release);\n"
                  "  atomic_fetch_add_explicit(&x, 1, memory_order_acq_rel);\n"
                  "  atomic_fetch_add(&x, 1);\n"
                  "  return 0;\n"
                  "}\n",
           "0: uR x=0 rlx\n0: uW x=1 rlx\n0: uR x=1 acq\n0: uW x=2 rlx\n"
           "0: uR x=2 rlx\n0: uW x=3 rel\n0: uR x=3 acq\n0: uW x=4 rel\n"
           "0: uR x=4 sc\n0: uW x=5 sc\n0: end 0\n");
}

static void a_failed_exchange_only_reads_with_its_own_order(void)
{
    EXPECT(ATOMIC "atomic_int x = 5;\n"
                  "int main(void) {\n"
                  "  int e = 4;\n"
                  "  atomic_compare_exchange_strong_explicit(&x, &e, 9,\n"
                  "      memory_order_acq_rel, memory_order_relaxed);\n"
                  "  atomic_compare_exchange_weak_explicit(&x, &e, 9,\n"
                  "      memory_order_release, memory_order_acquire);\n"
                  "  return e;\n"
                  "}\n",
           "0: uR x=5 acq/rlx\n0: uR x=5 rlx/acq\n0: uW x=9 rel\n0: end 5\n");
}

static void fences_and_signal_fences(void)
{
    EXPECT(ATOMIC "int main(void) {\n"
                  "  atomic_thread_fence(memory_order_relaxed);\n"
                  "  atomic_thread_fence(memory_order_acquire);\n"
                  "  atomic_thread_fence(memory_order_release);\n"
                  "  atomic_thread_fence(memory_order_acq_rel);\n"
                  "  atomic_thread_fence(memory_order_seq_cst);\n"
                  "  atomic_signal_fence(memory_order_seq_cst);\n"
                  "  __sync_synchronize();\n"
                  "  __asm__ volatile(\"\" ::: \"memory\");\n"
                  "}\n",
           "0: F acq\n0: F rel\n0: F acqrel\n0: F sc\n0: F sc\n0: end 0\n");
}

static void all_read_modify_writes(void)
{
    EXPECT("unsigned u = 6; int i = -2; unsigned char c = 200;\n"
           "int main(void) {\n"
           "  __atomic_fetch_and(&u, 3, 0); __atomic_fetch_nand(&u, 3, 0);\n"
           "  __atomic_fetch_or(&u, 3, 0); __atomic_fetch_xor(&u, 1, 0);\n"
           "  __atomic_exchange_n(&u, 8, 0); __atomic_fetch_sub(&u, 9, 0);\n"
           "  __atomic_fetch_min(&i, 1, 0); __atomic_fetch_max(&i, 1, 0);\n"
           "  __atomic_fetch_max(&u, 1, 0); __atomic_fetch_min(&u, 1, 0);\n"
           "  __atomic_fetch_add(&c, 100, 0);\n"
           "}\n",
           "0: uR u=6 rlx\n0: uW u=2 rlx\n0: uR u=2 rlx\n"
           "0: uW u=4294967293 rlx\n0: uR u=4294967293 rlx\n"
           "0: uW u=4294967295 rlx\n0: uR u=4294967295 rlx\n"
           "0: uW u=4294967294 rlx\n0: uR u=4294967294 rlx\n0: uW u=8 rlx\n"
           "0: uR u=8 rlx\n0: uW u=4294967295 rlx\n"
           "0: uR i=4294967294 rlx\n0: uW i=4294967294 rlx\n"
           "0: uR i=4294967294 rlx\n0: uW i=1 rlx\n"
           "0: uR u=4294967295 rlx\n0: uW u=4294967295 rlx\n"
           "0: uR u=4294967295 rlx\n0: uW u=1 rlx\n"
           "0: uR c=200 rlx 1\n0: uW c=44 rlx 1\n0: end 0\n");
}

static void sizes_pointers_and_floats(void)
{
    EXPECT(ATOMIC "_Atomic double d = 1.0; _Atomic float f; char c; short s;\n"
                  "long l; int *p; _Atomic _Bool b;\n"
                  "int main(void) {\n"
                  "  d += 1.0; f = 2.5f; c = -1; s = -1; l = -1; b = 1;\n"
                  "  p = 0; return c;\n"
                  "}\n",
           "0: R d=4607182418800017408 sc 8\n"
           "0: uR d=4607182418800017408 sc 8\n"
           "0: uW d=4611686018427387904 sc 8\n"
           "0: W f=1075838976 sc\n0: W c=255 na 1\n0: W s=65535 na 2\n"
           "0: W l=-1 na 8\n0: W b=1 sc 1\n0: W p=0 na 8\n0: R c=255 na 1\n"
           "0: end -1\n");
}

static void wide_accesses_are_split(void)
{
    EXPECT("__int128 w; struct { long a; int b, c; } s, t;\n"
           "int main(void) { w = 5; t = s; }",
           "0: W w=5 na 8\n0: W w+8=0 na 8\n"
           "0: R s.a=0 na 8\n0: W t.a=0 na 8\n"
           "0: R s.b=0 na 8\n0: W t.b=0 na 8\n0: end 0\n");
}

/* The words of values beyond 2^63, in the order seen (core/wide.h). */
#define FIRST  "-9223372036854775808"
#define SECOND "-9223372036854775807"
#define THIRD  "-9223372036854775806"
#define FOURTH "-9223372036854775804" /* after the operand */

static void wide_atomics_are_one_event(void)
{
    EXPECT("__int128 w = 2;\n"
           "int main(void) { w = 5;\n"
           "  __atomic_store_n(&w, 7, 5); __atomic_fetch_add(&w, 3, 2);\n"
           "  __atomic_exchange_n(&w, 4, 0); __int128 e = 4;\n"
           "  __atomic_compare_exchange_n(&w, &e, 6, 0, 4, 0);\n"
           "  __atomic_compare_exchange_n(&w, &e, 8, 0, 4, 0);\n"
           "  return e + __atomic_load_n(&w, 0); }",
           "0: W w=5 na 16\n0: W w=7 sc 16\n"
           "0: uR w=7 acq 16\n0: uW w=10 rlx 16\n"
           "0: uR w=10 rlx 16\n0: uW w=4 rlx 16\n"
           "0: uR w=4 acq/rlx 16\n0: uW w=6 rel 16\n0: uR w=6 acq/rlx 16\n"
           "0: R w=6 rlx 16\n0: end 12\n");
    EXPECT("typedef unsigned __int128 u;\n"
           "struct s { long a, *b; } __attribute__((aligned(16)));\n"
           "_Atomic struct s g; u w = ((u)7 << 64) - 1; long l;\n"
           "int main(void) { g = (struct s){1, &l}; struct s n = g;\n"
           "  u old = __atomic_fetch_add(&w, 3, 0);\n"
           "  u now = __atomic_sub_fetch(&w, (u)1 << 127, 0);\n"
           "  return n.a == 1 && n.b == &l && old == ((u)7 << 64) - 1 &&\n"
           "         now == ((u)7 << 64) + 2 - ((u)1 << 127); }",
           "0: W g.a=" FIRST " sc 16\n0: R g.a=" FIRST " sc 16\n"
           "0: uR w=" SECOND " rlx 16\n0: uW w=" THIRD " rlx 16\n"
           "0: uR w=" THIRD " rlx 16\n0: uW w=" FOURTH " rlx 16\n0: end 1\n");
}

static void granules_follow_the_finest_access(void)
{
    EXPECT("#include <string.h>\n"
           "int a[4];\n"
           "int main(void) { memset(a, 1, sizeof a); a[1] = 2;\n"
           "  return a[0] == 0x01010101; }",
           "0: W a[0]=16843009 na\n0: W a[1]=16843009 na\n"
           "0: W a[2]=16843009 na\n0: W a[3]=16843009 na\n"
           "0: W a[1]=2 na\n0: R a[0]=16843009 na\n0: end 1\n");
}

static void constants_are_no_events(void)
{
    EXPECT("const int table[] = {1, 2, 3}; int k = 1;\n"
           "int main(void) { return table[k] + \"abc\"[k]; }",
           "0: R k=1 na\n0: R k=1 na\n0: end 100\n");
}

static void thread_local_variables_start_anew_in_each_thread(void)
{
    EXPECT("#include <pthread.h>\n"
           "_Thread_local int v = 7;\n"
           "void *f(void *p) { v++; return p; }\n"
           "int main(void) { pthread_t t; v = 1;\n"
           "  pthread_create(&t, 0, f, 0); pthread_join(t, 0); return v; }",
           "0: W v@0=1 na\n0: create 1\n1: R v@1=7 na\n1: W v@1=8 na\n"
           "1: end 0\n0: join 1=0\n0: R v@0=1 na\n0: end 1\n");
}

static void names_of_parts(void)
{
    EXPECT("struct n { int v; struct n *next; struct { short h[3]; }; } q[2];\n"
           "union { int i; char c[4]; } u; static int hidden;\n"
           "int m[2][3];\n"
           "int main(void) { static int in; q[1].next = 0; q[0].h[2] = 1;\n"
           "  u.c[1] = 1; hidden = 1; in = 1; m[1][2] = 1; }",
           "0: W q[1].next=0 na 8\n0: W q[0].h[2]=1 na 2\n"
           "0: W u.i+1=1 na 1\n0: W hidden=1 na\n0: W in=1 na\n"
           "0: W m[1][2]=1 na\n0: end 0\n");
}

static void locals_that_no_pointer_leaves_are_no_events(void)
{
    EXPECT("struct s { int a[4]; };\n"
           "static void set(int *p) { *p = 2; }\n"
           "int main(void) { struct s v = {{0}}; int i = 0, w;\n"
           "  volatile int k = 3; for (; i < 4; i++) v.a[i] = i;\n"
           "  struct s u = v; set(&w); return u.a[3] + k + w; }",
           "0: end 8\n");
}

static void a_local_that_others_see_is_an_object(void)
{
    EXPECT("#include <pthread.h>\n"
           "void *f(void *p) { *(int *)p = 5; return p; }\n"
           "int main(void) { pthread_t t; int v = 1;\n"
           "  pthread_create(&t, 0, f, &v); pthread_join(t, 0); return v; }",
           "0: alloc v 4 zero\n0: W v=1 na\n0: create 1\n1: W v=5 na\n"
           "1: end 17643725651968\n0: join 1=17643725651968\n0: R v=5 na\n"
           "0: end 5\n");
}

static void the_object_of_a_local_ends_with_its_scope(void)
{
    EXPECT("int *keep;\n"
           "__attribute__((noinline)) int f(void) { int v = 1; keep = &v;\n"
           "  return v; }\n"
           "int main(void) { for (int i = 0; i < 2; i++) { int w = i;\n"
           "  keep = &w; } return f(); }",
           "0: alloc w 4 zero\n0: W w=0 na\n0: W keep=17643725651968 na 8\n"
           "0: free w\n0: alloc w 4 zero\n0: W w=1 na\n"
           "0: W keep=17643725717504 na 8\n0: free w\n"
           "0: alloc v 4 zero\n0: W v=1 na\n0: W keep=17643725783040 na 8\n"
           "0: R v=1 na\n0: free v\n0: end 1\n");
}

static void structs_by_value_are_copied(void)
{
    EXPECT("struct s { long a[3]; }; struct s g;\n"
           "__attribute__((noinline)) long f(struct s v) {\n"
           "  return v.a[0] += 2; }\n"
           "int main(void) { struct s w = {{1, 2, 3}}; return f(w); }",
           "0: alloc argument 24 zero\n0: W argument=1 na 8\n"
           "0: W argument+8=2 na 8\n0: W argument+16=3 na 8\n"
           "0: R argument=1 na 8\n0: W argument=3 na 8\n0: free argument\n"
           "0: end 3\n");
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(plain_accesses_are_non_atomic);
    RUN_TEST(a_read_that_is_not_used_is_kept);
    RUN_TEST(a_pure_function_that_is_not_needed_is_called);
    RUN_TEST(orders_of_loads_and_stores);
    RUN_TEST(each_half_of_an_rmw_has_its_part_of_the_order);
    RUN_TEST(a_failed_exchange_only_reads_with_its_own_order);
    RUN_TEST(fences_and_signal_fences);
    RUN_TEST(all_read_modify_writes);
    RUN_TEST(sizes_pointers_and_floats);
    RUN_TEST(wide_accesses_are_split);
    RUN_TEST(wide_atomics_are_one_event);
    RUN_TEST(granules_follow_the_finest_access);
    RUN_TEST(constants_are_no_events);
    RUN_TEST(thread_local_variables_start_anew_in_each_thread);
    RUN_TEST(names_of_parts);
    RUN_TEST(locals_that_no_pointer_leaves_are_no_events);
    RUN_TEST(a_local_that_others_see_is_an_object);
    RUN_TEST(the_object_of_a_local_ends_with_its_scope);
    RUN_TEST(structs_by_value_are_copied);
    return UNITY_END();
}
