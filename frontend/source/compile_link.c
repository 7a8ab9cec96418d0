#include "frontend/source/compile_link.h"

#include "core/mem.h"

#include <llvm-c/Core.h>
#include <llvm-c/Linker.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool is_static(LLVMValueRef function)
{
    return !LLVMIsDeclaration(function) &&
           (LLVMGetLinkage(function) == LLVMInternalLinkage ||
            LLVMGetLinkage(function) == LLVMPrivateLinkage);
}

static bool is_elsewhere(LLVMModuleRef *modules, uint32_t n, uint32_t own,
                         const char *name)
{
    for (uint32_t i = 0; i < n; i++) {
        LLVMValueRef f =
            i == own ? NULL : LLVMGetNamedFunction(modules[i], name);
        if (f && !LLVMIsDeclaration(f))
            return true;
    }
    return false;
}

/* A static function that has the name of another file's function is called
 * "f@a.c": linking would number them, but the machine code knows the file
 * (target_function_name). Variables are told apart by their declarations. */
static void name_statics(LLVMModuleRef *modules, uint32_t n)
{
    LLVMValueRef *found = NULL;
    uint32_t n_found = 0, cap = 0;
    size_t length;
    /* First all are found: a new name hides that there were two. */
    for (uint32_t i = 0; i < n; i++)
        for (LLVMValueRef f = LLVMGetFirstFunction(modules[i]); f;
             f = LLVMGetNextFunction(f)) {
            if (!is_static(f) ||
                !is_elsewhere(modules, n, i, LLVMGetValueName2(f, &length)))
                continue;
            found = mem_room(found, n_found, &cap, sizeof(LLVMValueRef));
            found[n_found++] = f;
        }
    for (uint32_t i = 0; i < n_found; i++) {
        char name[600];
        const char *file =
            LLVMGetSourceFileName(LLVMGetGlobalParent(found[i]), &length);
        snprintf(name, sizeof name, "%s@%s",
                 LLVMGetValueName2(found[i], &length), base_name(file));
        LLVMSetValueName2(found[i], name, strlen(name));
    }
    free(found);
}

/* The first error is what the user is told. */
static void on_diagnostic(LLVMDiagnosticInfoRef info, void *self)
{
    struct err *err = self;
    if (LLVMGetDiagInfoSeverity(info) != LLVMDSError || err->text[0])
        return;
    char *text = LLVMGetDiagInfoDescription(info);
    err_set(err, ERR_INPUT, "linking: %s", text);
    LLVMDisposeMessage(text);
}

LLVMModuleRef compile_link(LLVMModuleRef *modules, uint32_t n, struct err *err)
{
    LLVMModuleRef whole = modules[0];
    LLVMContextRef context = LLVMGetModuleContext(whole);
    struct err first = {0};
    bool ok = true;
    if (n == 1)
        return whole;
    name_statics(modules, n);
    LLVMContextSetDiagnosticHandler(context, on_diagnostic, &first);
    for (uint32_t i = 1; i < n; i++) {
        if (!ok)
            LLVMDisposeModule(modules[i]);
        else if (LLVMLinkModules2(whole, modules[i]))
            ok = false;
    }
    LLVMContextSetDiagnosticHandler(context, NULL, NULL);
    if (ok)
        return whole;
    LLVMDisposeModule(whole);
    err_set(err, ERR_INPUT, "%s",
            first.text[0] ? first.text : "the files cannot be linked");
    return NULL;
}

bool compile_link_needs_library(LLVMModuleRef module)
{
    static const char *const names[] = {"qsort", "bsearch"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        LLVMValueRef f = LLVMGetNamedFunction(module, names[i]);
        if (f && LLVMIsDeclaration(f))
            return true;
    }
    return false;
}
