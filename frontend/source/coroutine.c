/* The switch is written by hand: swapcontext makes two system calls to keep the
 * signal mask, which costs more than everything else a short run does. Saved
 * are the registers that a call preserves; floating-point modes are not, since
 * neither side changes them. */
#include "frontend/source/coroutine.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_ASAN 1
#endif
#if __has_feature(thread_sanitizer)
#define HAS_TSAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define HAS_ASAN 1
#endif
#if defined(__SANITIZE_THREAD__)
#define HAS_TSAN 1
#endif

#ifdef HAS_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef HAS_TSAN
#include <sanitizer/tsan_interface.h>
#endif

/* Saves the registers on this stack and its pointer in *save, then goes on
 * where `load` was saved. */
void coroutine_switch(void **save, void *load);
/* First code on a fresh stack: calls coroutine_first(c). */
void coroutine_begin(void);
void coroutine_first(struct coroutine *c);

#if defined(__x86_64__)

enum { SAVED_WORDS = 6, SAVED_ARGUMENT = 0 /* r15 */ };

__asm__(".text\n"
        ".globl coroutine_switch\n"
        ".type coroutine_switch, @function\n"
        "coroutine_switch:\n"
        "  pushq %rbp\n"
        "  pushq %rbx\n"
        "  pushq %r12\n"
        "  pushq %r13\n"
        "  pushq %r14\n"
        "  pushq %r15\n"
        "  movq %rsp, (%rdi)\n"
        "  movq %rsi, %rsp\n"
        "  popq %r15\n"
        "  popq %r14\n"
        "  popq %r13\n"
        "  popq %r12\n"
        "  popq %rbx\n"
        "  popq %rbp\n"
        "  ret\n"
        ".size coroutine_switch, .-coroutine_switch\n"
        ".globl coroutine_begin\n"
        ".type coroutine_begin, @function\n"
        "coroutine_begin:\n"
        "  movq %r15, %rdi\n"
        "  xorl %ebp, %ebp\n"
        "  call coroutine_first\n"
        "  ud2\n"
        ".size coroutine_begin, .-coroutine_begin\n");

/* After `ret` has taken the address of coroutine_begin, the stack pointer must
 * be a multiple of 16 there, as before any call. */
static void *make_frame(char *top, struct coroutine *c)
{
    void **sp = (void **)(uintptr_t)((uintptr_t)top & ~(uintptr_t)15);
    *--sp = NULL;
    *--sp = NULL;
    *--sp = (void *)(uintptr_t)coroutine_begin;
    sp -= SAVED_WORDS;
    memset(sp, 0, SAVED_WORDS * sizeof *sp);
    sp[SAVED_ARGUMENT] = c;
    return sp;
}

#elif defined(__aarch64__)

enum { SAVED_WORDS = 20, SAVED_ARGUMENT = 0 /* x19 */, SAVED_LINK = 11 };

__asm__(".text\n"
        ".globl coroutine_switch\n"
        ".type coroutine_switch, %function\n"
        "coroutine_switch:\n"
        "  sub sp, sp, #160\n"
        "  stp x19, x20, [sp, #0]\n"
        "  stp x21, x22, [sp, #16]\n"
        "  stp x23, x24, [sp, #32]\n"
        "  stp x25, x26, [sp, #48]\n"
        "  stp x27, x28, [sp, #64]\n"
        "  stp x29, x30, [sp, #80]\n"
        "  stp d8, d9, [sp, #96]\n"
        "  stp d10, d11, [sp, #112]\n"
        "  stp d12, d13, [sp, #128]\n"
        "  stp d14, d15, [sp, #144]\n"
        "  mov x9, sp\n"
        "  str x9, [x0]\n"
        "  mov sp, x1\n"
        "  ldp x19, x20, [sp, #0]\n"
        "  ldp x21, x22, [sp, #16]\n"
        "  ldp x23, x24, [sp, #32]\n"
        "  ldp x25, x26, [sp, #48]\n"
        "  ldp x27, x28, [sp, #64]\n"
        "  ldp x29, x30, [sp, #80]\n"
        "  ldp d8, d9, [sp, #96]\n"
        "  ldp d10, d11, [sp, #112]\n"
        "  ldp d12, d13, [sp, #128]\n"
        "  ldp d14, d15, [sp, #144]\n"
        "  add sp, sp, #160\n"
        "  ret\n"
        ".size coroutine_switch, .-coroutine_switch\n"
        ".globl coroutine_begin\n"
        ".type coroutine_begin, %function\n"
        "coroutine_begin:\n"
        "  mov x0, x19\n"
        "  mov x29, #0\n"
        "  bl coroutine_first\n"
        "  brk #1\n"
        ".size coroutine_begin, .-coroutine_begin\n");

static void *make_frame(char *top, struct coroutine *c)
{
    void **sp = (void **)(uintptr_t)((uintptr_t)top & ~(uintptr_t)15);
    sp -= SAVED_WORDS;
    memset(sp, 0, SAVED_WORDS * sizeof *sp);
    sp[SAVED_ARGUMENT] = c;
    sp[SAVED_LINK] = (void *)(uintptr_t)coroutine_begin;
    return sp;
}

#else
#error "coroutine_switch is not written for this processor"
#endif

static size_t guard_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

bool coroutine_init(struct coroutine *c)
{
    memset(c, 0, sizeof *c);
    size_t guard = guard_bytes();
    char *p = mmap(NULL, guard + COROUTINE_STACK_BYTES, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        return false;
    if (mprotect(p, guard, PROT_NONE) != 0) {
        munmap(p, guard + COROUTINE_STACK_BYTES);
        return false;
    }
    c->stack = p + guard;
    return true;
}

void coroutine_release(struct coroutine *c)
{
    if (!c->stack)
        return;
#ifdef HAS_TSAN
    if (c->fiber)
        __tsan_destroy_fiber(c->fiber);
#endif
    size_t guard = guard_bytes();
    munmap(c->stack - guard, guard + COROUTINE_STACK_BYTES);
    memset(c, 0, sizeof *c);
}

void coroutine_reset(struct coroutine *c, void (*entry)(void *argument),
                     void *argument)
{
#ifdef HAS_ASAN
    /* Frames that were left without return have marked their red zones. */
    __asan_unpoison_memory_region(c->stack, COROUTINE_STACK_BYTES);
#endif
#ifdef HAS_TSAN
    if (c->fiber)
        __tsan_destroy_fiber(c->fiber);
    c->fiber = __tsan_create_fiber(0);
#endif
    c->fake_stack = NULL;
    c->entry = entry;
    c->argument = argument;
    c->sp = make_frame(c->stack + COROUTINE_STACK_BYTES, c);
}

void coroutine_resume(struct coroutine *c)
{
#ifdef HAS_ASAN
    __sanitizer_start_switch_fiber(&c->caller_fake_stack, c->stack,
                                   COROUTINE_STACK_BYTES);
#endif
#ifdef HAS_TSAN
    c->caller_fiber = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(c->fiber, 0);
#endif
    coroutine_switch(&c->caller_sp, c->sp);
#ifdef HAS_ASAN
    __sanitizer_finish_switch_fiber(c->caller_fake_stack, NULL, NULL);
#endif
}

static void leave(struct coroutine *c, void **save)
{
#ifdef HAS_ASAN
    __sanitizer_start_switch_fiber(&c->fake_stack, c->caller_bottom,
                                   c->caller_bytes);
#endif
#ifdef HAS_TSAN
    __tsan_switch_to_fiber(c->caller_fiber, 0);
#endif
    coroutine_switch(save, c->caller_sp);
}

void coroutine_yield(struct coroutine *c)
{
    leave(c, &c->sp);
#ifdef HAS_ASAN
    __sanitizer_finish_switch_fiber(c->fake_stack, &c->caller_bottom,
                                    &c->caller_bytes);
#endif
}

_Noreturn void coroutine_abandon(struct coroutine *c)
{
    void *unused;
    leave(c, &unused);
    __builtin_unreachable();
}

void coroutine_first(struct coroutine *c)
{
#ifdef HAS_ASAN
    __sanitizer_finish_switch_fiber(NULL, &c->caller_bottom, &c->caller_bytes);
#endif
    c->entry(c->argument);
    assert(false);
}

bool coroutine_in_guard(const struct coroutine *c, const void *p)
{
    const char *at = p;
    return at < c->stack && at >= c->stack - guard_bytes();
}
