/* The guest's loop: take a run from the mailbox, call the thread's function on
 * a fresh stack, say what it returned. */
#include "frontend/guest/runtime.h"

#include "guest_isa.h" /* hw/isa/<folder>/guest */

#define SA_SIGINFO  4u
#define SA_RESTORER 0x04000000u
#define SA_ONSTACK  0x08000000u
#define SA_NODEFER  0x40000000u

#define STACK_BYTES 16384

volatile struct wire_mailbox __hwc_mailbox
    __attribute__((section(".hwc.mailbox"))) = {.magic = WIRE_MAGIC};
struct state __hwc_state;

__attribute__((used, aligned(64))) static char signal_stack[2 * STACK_BYTES];

extern const char __hwc_tls_start[], __hwc_tls_data_end[], __hwc_tls_end[];

uint64_t __hwc_tell(uint64_t caller, enum wire_op op, uint64_t a, uint64_t b,
                    uint64_t c)
{
    volatile struct wire_mailbox *m = &__hwc_mailbox;
    m->op = op;
    m->a = a;
    m->b = b;
    m->c = c;
    m->pc = caller;
    __hwc_marker();
    if (m->stop)
        __hwc_loop();
    return m->result;
}

_Noreturn void __hwc_end(uint64_t caller, enum wire_op op, uint64_t a,
                         uint64_t b, uint64_t c)
{
    __hwc_tell(caller, op, a, b, c);
    __hwc_loop();
}

_Noreturn void __hwc_fail(uint64_t caller, enum violation_kind kind,
                          const char *text)
{
    __hwc_end(caller, OP_ERROR, kind, (uint64_t)(uintptr_t)text, 0);
}

uint64_t __hwc_read(uint64_t caller, const void *at, unsigned size,
                    enum wire_mode mode)
{
    return __hwc_tell(caller, OP_READ, (uint64_t)(uintptr_t)at, size, mode);
}

void __hwc_write(uint64_t caller, void *at, unsigned size, enum wire_mode mode,
                 uint64_t value)
{
    __hwc_tell(caller, OP_WRITE, (uint64_t)(uintptr_t)at, value,
               mode | (uint64_t)size << 8);
}

static void on_fault(int signal, const char *info, const char *context)
{
    uint64_t addr, pc;
    __builtin_memcpy(&addr, info + 16, sizeof addr);
    __builtin_memcpy(&pc, context + UC_PC, sizeof pc);
    __hwc_end(pc, OP_FAULT, (uint64_t)signal, addr, pc);
}

static void on_stop(int signal, const char *info, const char *context)
{
    (void)signal, (void)info, (void)context;
    __hwc_loop();
}

static void handle(uint64_t signal,
                   void (*handler)(int, const char *, const char *))
{
    struct {
        uint64_t handler, flags, restorer, mask;
    } action = {
        (uint64_t)(uintptr_t)handler,
        SA_SIGINFO | SA_RESTORER | SA_ONSTACK | SA_NODEFER,
        HAS_RESTORER ? (uint64_t)(uintptr_t)__hwc_restore : 0, /* or mask */
        0,
    };
    __hwc_syscall(NR_SIGACTION, signal, (uint64_t)(uintptr_t)&action, 0, 8);
}

__attribute__((used)) void __hwc_init(void);
void __hwc_init(void)
{
    struct {
        uint64_t stack;
        uint32_t flags, pad;
        uint64_t bytes;
    } stack = {(uint64_t)(uintptr_t)signal_stack, 0, 0, sizeof signal_stack};
    __hwc_syscall(NR_SIGALTSTACK, (uint64_t)(uintptr_t)&stack, 0, 0, 0);
    static const uint8_t faults[] = {4, 5, 7, 8,
                                     11}; /* ILL TRAP BUS FPE SEGV */
    for (unsigned i = 0; i < sizeof faults; i++)
        handle(faults[i], on_fault);
    handle(10, on_stop); /* SIGUSR1 */
}

/* So that a program whose own are all zero has initial values in the image. */
__attribute__((used, section(".tdata"))) static _Thread_local char some = 1;

/* Thread-local variables: the image's initial values, and the register that
 * points at them as the ISA's ABI has it. Their size and alignment are 64 bytes
 * (link.ld), which makes the offsets simple. The stack protector's value, which
 * the ABIs keep beside them, is 0. */
static void set_up_tls(uint64_t region)
{
    uint64_t bytes = (uint64_t)(__hwc_tls_end - __hwc_tls_start);
    uint64_t data = (uint64_t)(__hwc_tls_data_end - __hwc_tls_start);
    char *at = (char *)(uintptr_t)(region + WIRE_OWN + 256);
    set_thread_pointer(at, bytes);
    for (uint64_t i = 0; i < bytes; i++)
        ((volatile char *)at)[i] = i < data ? __hwc_tls_start[i] : 0;
}

__attribute__((used)) void __hwc_take(void);
void __hwc_take(void)
{
    volatile struct wire_mailbox *m = &__hwc_mailbox;
    m->op = OP_IDLE;
    __hwc_marker();
    struct state *s = &__hwc_state;
    s->n_created = s->n_small = s->n_medium = s->n_large = 0;
    s->n_held = s->n_objects = 0;
    s->random = 1;
    set_up_tls(m->region);
}

__attribute__((used)) _Noreturn void __hwc_finish(uint64_t result);
_Noreturn void __hwc_finish(uint64_t result)
{
    __hwc_end(0, OP_END, result, END_RETURN, 0);
}
