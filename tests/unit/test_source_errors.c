/* What programs do wrong, and what is refused. */
#include "tests/harness/source_driver.h"

#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

#define EXPECT(text, trace) \
    TEST_ASSERT_EQUAL_STRING(trace, driver_trace_of(text))
#define REFUSED(text, message) \
    TEST_ASSERT_EQUAL_STRING(message, driver_error_of(text))

static void pointers_to_nothing(void)
{
    EXPECT("int *p; int main(void) {\n return *p; }",
           "0: R p=0 na 8\n"
           "0: t.c:2: read of 4 bytes at address 0x0: null pointer\n");
    EXPECT("int main(void) { *(char *)12345 = 1; }",
           "0: t.c:1: write of 1 bytes at address 0x3039: not in any "
           "object\n");
    EXPECT("int main(void) { return *(int *)main; }",
           strstr(driver_trace_of("int main(void) { return *(int *)main; }"),
                  ": a function\n")
               ? driver_trace_of("int main(void) { return *(int *)main; }")
               : "a function");
    EXPECT("int (*f)(void); int main(void) {\n return f(); }",
           "0: R f=0 na 8\n0: t.c:2: call of 0x0: null pointer\n");
    EXPECT("int main(void) {\n return ((int (*)(void))4096)(); }",
           "0: t.c:2: call of 0x1000: not a function\n");
}

static void outside_of_variables(void)
{
    EXPECT("int a[4], k = 4; int main(void) {\n a[k] = 1; }",
           "0: R k=4 na\n"
           "0: t.c:2: write of 4 bytes at offset 16 of 'a', which has 16\n");
    EXPECT("int k = -1; int main(void) { int a[4] = {0};\n return a[k]; }",
           "0: R k=4294967295 na\n"
           "0: t.c:2: access of 4 bytes at offset -4 of a local variable, "
           "which has 16\n");
    EXPECT("struct s { int a[2]; }; int k = 2;\n"
           "int main(void) { struct s v = {{0}}; v.a[k] = 1;\n"
           "  return v.a[0]; }",
           "0: R k=2 na\n"
           "0: t.c:2: access of 4 bytes at offset 8 of a local variable, "
           "which has 8\n");
    EXPECT("#include <string.h>\nint n = 9;\n"
           "int main(void) { char a[8]; memset(a, 0, n); return a[1]; }",
           "0: R n=9 na\n"
           "0: t.c:3: access of 9 bytes at offset 0 of a local variable, "
           "which has 8\n");
}

static void constants_cannot_be_written(void)
{
    EXPECT("const int c = 1; int main(void) { *(int *)&c = 2; }",
           "0: t.c:1: write of 4 bytes to constant 'c'\n");
}

static void bad_frees(void)
{
    EXPECT("#include <stdlib.h>\n"
           "int main(void) { char *p = malloc(4); free(p + 1); }",
           "0: alloc malloc#1 4\n"
           "0: t.c:2: free of 0x100000000001: not the start of an object\n");
    EXPECT("#include <stdlib.h>\nint main(void) { int v; free(&v); }",
           "0: alloc v 4 zero\n"
           "0: t.c:2: free of 0x100c00000000: not from malloc\n");
}

static void arithmetic(void)
{
    EXPECT("int z; int main(void) { return 1 / z; }",
           "0: R z=0 na\n0: t.c:1: division by zero\n");
    EXPECT("unsigned char z; int main(void) { return 1 % z; }",
           "0: R z=0 na 1\n0: t.c:1: division by zero\n");
    EXPECT("long a = 1L << 63, b = -1; int main(void) { return a / b; }",
           "0: R a=-9223372036854775808 na 8\n0: R b=-1 na 8\n"
           "0: t.c:1: division overflow\n");
    EXPECT("int z = 2; int main(void) { return 7 / z + 7 % -z; }",
           "0: R z=2 na\n0: R z=2 na\n0: end 4\n");
}

static void the_stack_ends(void)
{
    EXPECT("int n = 1; int f(int k) { return k ? f(k + 1) * 2 + 1 : 0; }\n"
           "int main(void) { return f(n); }",
           "0: R n=1 na\n0: t.c:1: stack overflow\n");
    EXPECT("int n = 1;\n"
           "int f(int k) { volatile char a[1 << 20]; a[k] = 1;\n"
           "  return k ? f(k + 1) * 2 + a[k] : 0; }\n"
           "int main(void) { return f(n); }",
           "0: R n=1 na\n0: t.c:4: stack overflow\n");
    EXPECT("long n = 1L << 40;\n"
           "int main(void) { char a[n]; a[0] = 1; return a[0]; }",
           "0: R n=1099511627776 na 8\n0: t.c:2: variable of 1099511627776 "
           "bytes on the stack\n");
}

static void joins_of_what_is_no_thread(void)
{
    EXPECT("#include <pthread.h>\nint main(void) { pthread_join(5, 0); }",
           "0: t.c:2: join of 0x5, which is not a thread\n");
    EXPECT("#include <pthread.h>\n"
           "int main(void) { pthread_join(pthread_self(), 0); }",
           "0: t.c:2: join of 0x7400, which is not a thread\n");
}

static void mixed_sizes_are_not_modelled(void)
{
    EXPECT("#include <stdatomic.h>\n"
           "union { _Atomic long l; _Atomic int i[2]; } u;\n"
           "int main(void) { u.i[1] = 1; return u.l; }",
           "0: W u.l+4=1 sc\n"
           "0: t.c:3: mixed-size access, at t.c:3\n");
    EXPECT("union { __int128 w; long l[2]; } u;\n"
           "int main(void) { __atomic_store_n(&u.w, 3, 0);\n"
           "  return __atomic_load_n(&u.l[1], 0); }",
           "0: t.c:2: mixed-size access, at t.c:2\n");
    EXPECT("char a[16]; int main(void) {\n"
           "  return __atomic_load_n((int *)(a + 1), 0); }",
           "0: t.c:2: misaligned atomic access, at t.c:2\n");
}

static void what_is_refused(void)
{
    REFUSED("#include <unistd.h>\nint main(void) {\n  return fork(); }",
            "t.c:3: function 'fork' is not supported, and is not defined in "
            "the program");
    REFUSED("int main(void) {\n  __asm__ volatile(\"mfence\"); }",
            "t.c:2: inline assembly 'mfence' is not supported: give its "
            "meaning in C under #ifdef __HWCHECK_SOURCE__");
    REFUSED("struct s { long a, b, c; }; _Atomic struct s g;\n"
            "int main(void) { struct s l = g; return l.a; }",
            "t.c:2: atomic access of 24 bytes is not supported");
    REFUSED("__attribute__((constructor)) void f(void) {}\n"
            "int main(void) {}",
            "constructor and destructor functions are not supported");
    REFUSED("extern int x; int main(void) { return x; }",
            "variable 'x' is not defined");
    REFUSED("#include <setjmp.h>\njmp_buf b;\n"
            "int main(void) { return setjmp(b); }",
            "t.c:3: function '_setjmp' is not supported, and is not defined in "
            "the program");
}

static void what_is_not_reached_is_not_refused(void)
{
    REFUSED("#include <unistd.h>\n"
            "void unused(void) { fork(); }\nint main(void) { return 0; }",
            "compiled");
}

static void no_program_at_all(void)
{
    struct driver d = {0};
    struct source_options none = {0};
    program_init(&d.program);
    TEST_ASSERT_FALSE(
        compile_program(&d.source, &none, "/no/such.c", &d.program, &d.err));
    TEST_ASSERT_EQUAL_STRING(
        "cannot read '/no/such.c': No such file or directory", d.err.text);
    source_release(&d.source);
    TEST_ASSERT_FALSE(
        compile_program(&d.source, &none, "x.cpp", &d.program, &d.err));
    TEST_ASSERT_EQUAL_STRING("'x.cpp' is C++, which is not supported",
                             d.err.text);
    driver_release(&d);
    TEST_ASSERT_NOT_NULL(strstr(driver_error_of(""), "no main function"));
    TEST_ASSERT_NOT_NULL(strstr(driver_error_of("int main;"), "no main"));
    TEST_ASSERT_NOT_NULL(strstr(driver_error_of("int f(void);"), "no main"));
}

static void the_users_flags_do_not_change_how_it_is_compiled(void)
{
    struct driver d = {0};
    static const char *const flags[] = {"-O3", "-DVALUE=4", "-g0", "-std=c11"};
    struct source_options options = {.cflags = flags, .n_cflags = 4};
    FILE *f = fopen("/tmp/hwcheck-test-flags.c", "w");
    TEST_ASSERT_NOT_NULL(f);
    fputs("int x = VALUE; int main(void) { (void)x; return __OPTIMIZE__; }", f);
    fclose(f);
    program_init(&d.program);
    bool ok = compile_program(&d.source, &options, "/tmp/hwcheck-test-flags.c",
                              &d.program, &d.err);
    remove("/tmp/hwcheck-test-flags.c");
    TEST_ASSERT_TRUE_MESSAGE(ok, d.err.text);
    TEST_ASSERT_TRUE(driver_run(&d));
    TEST_ASSERT_EQUAL_STRING("0: R x=4 na\n0: end 1\n", d.trace);
    driver_release(&d);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(pointers_to_nothing);
    RUN_TEST(outside_of_variables);
    RUN_TEST(constants_cannot_be_written);
    RUN_TEST(bad_frees);
    RUN_TEST(arithmetic);
    RUN_TEST(the_stack_ends);
    RUN_TEST(joins_of_what_is_no_thread);
    RUN_TEST(mixed_sizes_are_not_modelled);
    RUN_TEST(what_is_refused);
    RUN_TEST(what_is_not_reached_is_not_refused);
    RUN_TEST(no_program_at_all);
    RUN_TEST(the_users_flags_do_not_change_how_it_is_compiled);
    return UNITY_END();
}
