#include "frontend/litmus/litmus_asm.h"

#include "core/mem.h"
#include "frontend/litmus/litmus_retry.h"
#include "hw/litmus_dialect.h"
#include "hw/qemu/wire.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>

#include <ctype.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- the text */

struct listing {
    const struct litmus_dialect *dialect;
    struct litmus_assembly *assembly;
    struct litmus_test *const *tests;
    uint32_t n;
    struct err *errors;
    uint32_t *entry;
    char *text;
    size_t bytes;
    FILE *out;
    struct litmus_origin *origins; /* by line of the text */
    uint32_t n_origins, origins_cap;
    size_t counted; /* bytes of the text whose lines are among them */
    uint32_t max_terms;
};

/* Lines since the last call come from there. */
static void note_origin(struct listing *b, struct litmus_origin from)
{
    fflush(b->out);
    for (; b->counted < b->bytes; b->counted++) {
        if (b->text[b->counted] != '\n')
            continue;
        b->origins = mem_room(b->origins, b->n_origins, &b->origins_cap,
                              sizeof *b->origins);
        b->origins[b->n_origins++] = from;
    }
}

static const struct litmus_origin from_us = {.test = LITMUS_NONE};

static bool is_name_char(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

static bool is_label(const struct litmus_thread *t, const char *word, size_t n)
{
    for (uint32_t i = 0; i < t->n_lines; i++) {
        const char *line = t->lines[i].text;
        if (strlen(line) == n + 1 && line[n] == ':' &&
            memcmp(line, word, n) == 0)
            return true;
    }
    return false;
}

/* (x), [x], x or x(%rip). A mnemonic comes before a space. */
bool litmus_names_memory(const struct litmus_test *t, const char *line,
                         const char *word, size_t n)
{
    unsigned bytes;
    char name[64];
    if (!t->dialect->names_memory || word == line || n >= sizeof name ||
        word[-1] == '%')
        return false;
    snprintf(name, sizeof name, "%.*s", (int)n, word);
    if (t->dialect->find(name, &bytes) >= 0)
        return false;
    for (uint32_t i = 0; i < t->n_threads; i++)
        if (is_label(&t->threads[i], word, n))
            return false;
    const char *next = word + n + strspn(word + n, " ");
    return next == word + n || *next == ',' || strchr("([$", word[-1]);
}

static bool is_register(const struct litmus_dialect *d, const char *word,
                        size_t n)
{
    unsigned bytes;
    return d->is_register ? d->is_register(word, n)
                          : d->find(word, &bytes) >= 0;
}

/* A jump whose target is a word must find it among the labels: else the linker
 * would look for it, in all tests at once. */
static bool check_jump(const struct litmus_test *t, uint32_t thread,
                       const struct litmus_line *line, struct err *err)
{
    const char *text = line->text, *end = text + strlen(text), *word = end;
    while (word > text && is_name_char(word[-1]))
        word--;
    size_t n = (size_t)(end - word);
    if (!litmus_dialect_jumps(t->dialect, text) || end[-1] == ':' ||
        word == text || isdigit((unsigned char)*word) || word[-1] == '%' ||
        word[-1] == '*' || is_label(&t->threads[thread], word, n) ||
        is_register(t->dialect, word, n))
        return true;
    struct litmus_place at = line->place;
    at.column += (uint32_t)(word - text);
    return litmus_fail(t, at, err, "no label '%s' in thread %u", word, thread);
}

/* ---- store-conditionals: variants of a thread's code, in each of which some
 * of them find no reservation; which one runs is a choice at the thread's start
 * (litmus_retry.h). */

#define FAILING_MAX 4

static bool can_fail(const struct listing *b, uint32_t test, uint32_t thread,
                     uint32_t line)
{
    return litmus_failing(b->dialect, b->tests[test], thread, line) ==
           LITMUS_FAILS_ALONE;
}

/* The number of variants. Where they do not show all that can happen, *open is
 * the line of the first store-conditional beyond; else LITMUS_NONE. */
static uint32_t count_variants(const struct listing *b, uint32_t test,
                               uint32_t thread, uint32_t *open)
{
    const struct litmus_thread *t = &b->tests[test]->threads[thread];
    uint32_t n = 0;
    *open = LITMUS_NONE;
    for (uint32_t i = 0; i < t->n_lines; i++) {
        bool fails = can_fail(b, test, thread, i);
        if (*open == LITMUS_NONE &&
            ((fails && n == FAILING_MAX) ||
             litmus_failing(b->dialect, b->tests[test], thread, i) ==
                 LITMUS_FAILS_IN_LOOP))
            *open = i;
        n += fails && n < FAILING_MAX;
    }
    return 1u << n;
}

/* ---- code */

/* The address of what comes next is that of a line of the test, or ours. */
static void mark_line(struct listing *b, struct litmus_origin origin)
{
    struct litmus_assembly *a = b->assembly;
    a->lines = mem_room(a->lines, a->n_lines, &a->lines_cap, sizeof *a->lines);
    fprintf(b->out, ".Lline%u:\n", a->n_lines);
    a->lines[a->n_lines++] = origin;
}

/* A line with labels and locations under our names for them. */
static void emit_line(struct listing *b, uint32_t test, uint32_t thread,
                      uint32_t variant, const struct litmus_line *source)
{
    struct litmus_test *t = b->tests[test];
    char line[500];
    snprintf(line, sizeof line, "%s", source->text);
    struct litmus_origin origin = {test, thread, source->place};
    mark_line(b, origin);
    const struct litmus_dialect *d = t->dialect;
    fputs(d->before, b->out);
    note_origin(b, from_us);
    bool done = d->rewrite && d->rewrite(line, sizeof line, b->out);
    for (const char *c = done ? "" : line; *c;) {
        size_t n = 0;
        while (is_name_char(c[n]) && !(n == 0 && c[n] == '$'))
            n++;
        bool starts = n > 0 && !isdigit((unsigned char)*c);
        if (starts && is_label(&t->threads[thread], c, n))
            fprintf(b->out, ".Lt%u_%u_%u_%.*s", test, thread, variant, (int)n,
                    c);
        else if (starts && litmus_names_memory(t, line, c, n))
            fprintf(b->out, "t%u_v%u", test, litmus_location(t, c, n));
        else
            d->write(line, c, n, b->out);
        c += n + (n == 0);
    }
    fputc('\n', b->out);
    note_origin(b, origin);
    fputs(d->after, b->out);
}

static bool check_term(const struct listing *b, const struct litmus_test *t,
                       const struct litmus_term *x, struct err *err)
{
    unsigned bytes;
    if (!x->is_register || b->dialect->find(x->name, &bytes) >= 0)
        return true;
    return litmus_fail(t, x->place, err, "no register '%s'", x->name);
}

static bool check_registers(const struct listing *b,
                            const struct litmus_test *t, struct err *err)
{
    unsigned bytes;
    for (uint32_t i = 0; i < t->n_registers; i++)
        if (b->dialect->find(t->registers[i].name, &bytes) < 0)
            return litmus_fail(t, t->registers[i].place, err,
                               "no register '%s'", t->registers[i].name);
    for (uint32_t i = 0; i < t->n_terms; i++)
        if (!check_term(b, t, &t->terms[i], err))
            return false;
    return true;
}

/* Sets all registers and clears the flags, then goes to the code. */
static void emit_set(struct listing *b, uint32_t test, uint32_t thread,
                     uint32_t variant)
{
    const struct litmus_test *t = b->tests[test];
    struct litmus_value values[LITMUS_REGISTERS_MAX];
    char symbol[40];
    for (unsigned r = 0; r < LITMUS_REGISTERS_MAX; r++)
        values[r] = (struct litmus_value){LITMUS_NONE, 0};
    for (uint32_t i = 0; i < t->n_registers; i++) {
        unsigned bytes;
        if (t->registers[i].thread == thread)
            values[b->dialect->find(t->registers[i].name, &bytes)] =
                t->registers[i].value;
    }
    fprintf(b->out, ".Lt%u_%u_set%u:\n%s", test, thread, variant,
            b->dialect->clear);
    for (unsigned r = 0; r < b->dialect->n_registers; r++) {
        bool is_address = values[r].location != LITMUS_NONE;
        snprintf(symbol, sizeof symbol, "t%u_v%u", test, values[r].location);
        b->dialect->load(b->out, r, is_address ? symbol : NULL,
                         values[r].number);
    }
    snprintf(symbol, sizeof symbol, ".Lt%u_%u_code%u", test, thread, variant);
    fprintf(b->out, "%s %s\n", b->dialect->jump, symbol);
}

static void emit_code(struct listing *b, uint32_t test, uint32_t thread,
                      uint32_t variant)
{
    const struct litmus_thread *t = &b->tests[test]->threads[thread];
    char label[60];
    uint32_t bit = 0;
    fprintf(b->out, ".text\n.Lt%u_%u_code%u:\n", test, thread, variant);
    for (uint32_t i = 0; i < t->n_lines; i++) {
        if (can_fail(b, test, thread, i) && variant >> bit++ & 1)
            b->dialect->forget(b->out);
        emit_line(b, test, thread, variant, &t->lines[i]);
    }
    snprintf(label, sizeof label, ".Lt%u_%u_end", test, thread);
    fprintf(b->out, "%s %s\n", b->dialect->jump, label);
}

/* The choice that stands for what the variants do not show. */
static void emit_open(struct listing *b, uint32_t test, uint32_t thread,
                      uint32_t variant, uint32_t line)
{
    const struct litmus_test *t = b->tests[test];
    bool in_loop =
        litmus_failing(b->dialect, t, thread, line) == LITMUS_FAILS_IN_LOOP;
    char text[40];
    snprintf(text, sizeof text, "t%u_%u_open", test, thread);
    fprintf(b->out, ".section .rodata,\"a\"\n%s: .asciz \"line %u: ", text,
            t->threads[thread].lines[line].place.line);
    if (in_loop)
        fputs("a store-conditional that may fail in a loop which does more "
              "than try again\"\n",
              b->out);
    else
        fprintf(b->out,
                "more than %d store-conditionals of a thread may fail\"\n",
                FAILING_MAX);
    fprintf(b->out, ".section .hwc.text,\"ax\"\n.Lt%u_%u_set%u:\n", test,
            thread, variant);
    b->dialect->tell(b->out, OP_UNMODELLED, text);
    b->dialect->finish(b->out);
}

/* A thread must start in the program's code; the choice and the setting of
 * registers are not looked at. */
static void emit_thread(struct listing *b, uint32_t test, uint32_t thread)
{
    uint32_t open, n = count_variants(b, test, thread, &open);
    char label[40];
    fputs(".text\n", b->out);
    mark_line(b, from_us);
    fprintf(b->out, "t%u_%u_start:\n", test, thread);
    snprintf(label, sizeof label, ".Lt%u_%u_choose", test, thread);
    fprintf(b->out, "%s %s\n", b->dialect->jump, label);
    for (uint32_t i = 0; i < n; i++)
        emit_code(b, test, thread, i);
    fprintf(b->out, ".section .hwc.text,\"ax\"\n%s:\n", label);
    snprintf(label, sizeof label, ".Lt%u_%u_set", test, thread);
    if (n > 1 || open != LITMUS_NONE)
        b->dialect->choose(b->out, n + (open != LITMUS_NONE), label);
    for (uint32_t i = 0; i < n; i++)
        emit_set(b, test, thread, i);
    if (open != LITMUS_NONE)
        emit_open(b, test, thread, n, open);
}

/* Tells the registers that are asked for. */
static bool emit_end(struct listing *b, uint32_t test, uint32_t thread,
                     struct err *err)
{
    const struct litmus_test *t = b->tests[test];
    bool used[LITMUS_REGISTERS_MAX] = {false};
    unsigned bytes;
    unsigned base = b->dialect->n_registers - 1;
    for (uint32_t i = 0; i < t->n_terms; i++)
        if (t->terms[i].is_register && t->terms[i].thread == thread)
            used[b->dialect->find(t->terms[i].name, &bytes)] = true;
    while (base > 0 && used[base])
        base--;
    if (used[base])
        return litmus_fail(t, t->terms[0].place, err,
                           "thread %u has all registers observed", thread);
    fprintf(b->out, ".Lt%u_%u_end:\n", test, thread);
    b->dialect->base(b->out, base);
    for (uint32_t i = 0; i < t->n_terms; i++)
        if (t->terms[i].is_register && t->terms[i].thread == thread) {
            int r = b->dialect->find(t->terms[i].name, &bytes);
            b->dialect->save(b->out, (unsigned)r, base, i, bytes);
        }
    if (b->dialect->restore)
        b->dialect->restore(b->out, offsetof(struct wire_mailbox, stack));
    for (uint32_t i = 0; i < t->n_terms; i++)
        if (t->terms[i].is_register && t->terms[i].thread == thread)
            b->dialect->observe(b->out, i, i);
    b->dialect->finish(b->out);
    return true;
}

static void emit_data(struct listing *b, uint32_t test)
{
    const struct litmus_test *t = b->tests[test];
    static const char *const words[] = {
        [1] = ".byte", [2] = ".short", [4] = ".long", [8] = ".quad"};
    fprintf(b->out, ".data\n");
    for (uint32_t i = 0; i < t->n_locations; i++) {
        const struct litmus_location *l = &t->locations[i];
        fprintf(b->out, ".balign %d\nt%u_v%u:\n", LITMUS_ALIGN, test, i);
        for (uint32_t k = 0; k < (l->n ? l->n : 1); k++) {
            struct litmus_value v = l->values[k];
            if (v.location != LITMUS_NONE)
                fprintf(b->out, "%s t%u_v%u+%" PRId64 "\n", words[l->size],
                        test, v.location, v.number);
            else
                fprintf(b->out, "%s %" PRId64 "\n", words[l->size],
                        l->size == 8
                            ? v.number
                            : v.number & (((int64_t)1 << l->size * 8) - 1));
        }
        fprintf(b->out, ".balign %d\n", LITMUS_ALIGN);
    }
}

static bool emit_test(struct listing *b, uint32_t test, struct err *err)
{
    const struct litmus_test *t = b->tests[test];
    char label[40];
    if (!check_registers(b, t, err))
        return false;
    for (uint32_t i = 0; i < t->n_threads; i++)
        for (uint32_t k = 0; k < t->threads[i].n_lines; k++)
            if (!check_jump(t, i, &t->threads[i].lines[k], err))
                return false;
    for (uint32_t i = 0; i < t->n_threads; i++) {
        emit_thread(b, test, i);
        if (!emit_end(b, test, i, err))
            return false;
    }
    fprintf(b->out, "t%u_main:\n", test);
    if (b->dialect->enter)
        b->dialect->enter(b->out);
    for (uint32_t i = 0; i < t->n_threads; i++) {
        snprintf(label, sizeof label, "t%u_%u_start", test, i);
        b->dialect->tell(b->out, OP_CREATE, label);
    }
    b->dialect->finish(b->out);
    emit_data(b, test);
    if (t->n_terms > b->max_terms)
        b->max_terms = t->n_terms;
    note_origin(b, from_us);
    return true;
}

/* The whole text, of the tests without an error. */
static void emit(struct listing *b)
{
    uint32_t entry = 0;
    free(b->text);
    b->out = open_memstream(&b->text, &b->bytes);
    if (!b->out)
        abort();
    b->n_origins = b->max_terms = 0;
    b->assembly->n_lines = 0;
    b->counted = 0;
    fputs(b->dialect->head, b->out);
    note_origin(b, from_us);
    for (uint32_t i = 0; i < b->n; i++)
        if (b->errors[i].kind == ERR_NONE) {
            fflush(b->out);
            emit_test(b, i, &b->errors[i]);
        }
    fprintf(b->out, ".section .rodata,\"a\"\n.balign 8\n.globl main\nmain:\n");
    for (uint32_t i = 0; i < b->n; i++) {
        if (b->errors[i].kind != ERR_NONE)
            continue;
        b->entry[i] = entry;
        entry += 1 + b->tests[i]->n_locations;
        fprintf(b->out, ".quad t%u_main\n", i);
        for (uint32_t k = 0; k < b->tests[i]->n_locations; k++)
            fprintf(b->out, ".quad t%u_v%u\n", i, k);
    }
    b->assembly->first_line = entry;
    for (uint32_t i = 0; i < b->assembly->n_lines; i++)
        fprintf(b->out, ".quad .Lline%u\n", i);
    for (uint32_t i = 0; i < b->max_terms; i++)
        fprintf(b->out, "name%u: .asciz \"%u\"\n", i, i);
    fprintf(b->out,
            ".section .hwc.bss,\"aw\"\n.balign 8\nslots: .skip %u\n"
            ".section .note.GNU-stack,\"\"\n",
            b->max_terms * 8 + 8);
    fflush(b->out);
    fclose(b->out);
}

/* ---- the assembler */

/* "<inline asm>:12:3: error: what\n..." about one of our lines. */
static void on_diagnostic(LLVMDiagnosticInfoRef info, void *self)
{
    struct listing *b = self;
    char *text = LLVMGetDiagInfoDescription(info);
    unsigned line = 0;
    char what[300] = "";
    if (LLVMGetDiagInfoSeverity(info) == LLVMDSError) {
        const char *at = strstr(text, "asm>:");
        const char *message = at ? strstr(at + 5, ": ") : NULL;
        if (at)
            sscanf(at + 5, "%u", &line);
        snprintf(what, sizeof what, "%s", message ? message + 2 : text);
        what[strcspn(what, "\n")] = '\0';
        struct litmus_origin from =
            line > 0 && line <= b->n_origins ? b->origins[line - 1] : from_us;
        if (from.test == LITMUS_NONE)
            fprintf(stderr, "hwcheck: assembler: %s\n", text);
        else if (b->errors[from.test].kind == ERR_NONE)
            litmus_fail(b->tests[from.test], from.place, &b->errors[from.test],
                        "%s", what);
    }
    LLVMDisposeMessage(text);
}

static void init_llvm(void)
{
    LLVMInitializeAllTargetInfos();
    LLVMInitializeAllTargets();
    LLVMInitializeAllTargetMCs();
    LLVMInitializeAllAsmPrinters();
    LLVMInitializeAllAsmParsers();
}

/* The object, to be disposed; NULL: err says why. */
static LLVMMemoryBufferRef assemble(struct listing *b, const struct isa *isa,
                                    struct err *err)
{
    LLVMTargetRef target;
    LLVMMemoryBufferRef object = NULL;
    char *message = NULL;
    init_llvm();
    if (LLVMGetTargetFromTriple(isa->triple, &target, &message)) {
        err_set(err, ERR_SYSTEM, "LLVM: %s", message);
        LLVMDisposeMessage(message);
        return NULL;
    }
    LLVMTargetMachineRef machine = LLVMCreateTargetMachine(
        target, isa->triple, isa->assembler_cpu, "", LLVMCodeGenLevelNone,
        LLVMRelocStatic, LLVMCodeModelDefault);
    LLVMContextRef context = LLVMContextCreate();
    LLVMContextSetDiagnosticHandler(context, on_diagnostic, b);
    LLVMModuleRef module = LLVMModuleCreateWithNameInContext("litmus", context);
    LLVMSetTarget(module, isa->triple);
    LLVMSetModuleInlineAsm2(module, b->text, b->bytes);
    if (LLVMTargetMachineEmitToMemoryBuffer(machine, module, LLVMObjectFile,
                                            &message, &object)) {
        err_set(err, ERR_INTERNAL, "LLVM: %s", message);
        LLVMDisposeMessage(message);
        object = NULL;
    }
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
    LLVMDisposeTargetMachine(machine);
    return object;
}

static bool write_object(LLVMMemoryBufferRef object, int *fd, struct err *err)
{
    const char *bytes = LLVMGetBufferStart(object);
    size_t n = LLVMGetBufferSize(object);
    *fd = memfd_create("hwcheck-litmus", 0);
    for (ssize_t k = 0; *fd >= 0 && n > 0; bytes += k, n -= (size_t)k) {
        k = write(*fd, bytes, n);
        if (k <= 0) {
            close(*fd);
            *fd = -1;
        }
    }
    return *fd >= 0 || err_set(err, ERR_SYSTEM, "no file in memory");
}

static uint32_t count_errors(const struct listing *b)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < b->n; i++)
        n += b->errors[i].kind != ERR_NONE;
    return n;
}

bool litmus_assemble(const struct isa *isa, struct litmus_assembly *a, int *fd,
                     struct err *err)
{
    struct listing b = {
        .dialect = a->tests[0]->dialect,
        .assembly = a,
        .tests = a->tests,
        .n = a->n,
        .errors = a->errors,
        .entry = a->entries,
    };
    LLVMMemoryBufferRef object = NULL;
    uint32_t before;
    bool good = true;
    /* Again without those that the assembler refused; what it says of one line
     * may hide others. */
    do {
        if (object)
            LLVMDisposeMemoryBuffer(object);
        do {
            before = count_errors(&b);
            emit(&b);
        } while (count_errors(&b) > before);
        object = assemble(&b, isa, err);
    } while (object && count_errors(&b) > before);
    good = object && write_object(object, fd, err);
    if (object)
        LLVMDisposeMemoryBuffer(object);
    free(b.text);
    free(b.origins);
    return good;
}
