#include "frontend/target/lower.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

bool lower_check_isa(const struct mapping *m, const struct isa *isa,
                     struct err *err)
{
    if (!mapping_has_isa(m, isa->name))
        return err_set(err, ERR_USAGE, "mapping '%s' is for %s, not for %s",
                       m->name, m->isas, isa->name);
    return isa->assembly ||
           err_set(err, ERR_USAGE, "no mapping can be applied to code for %s",
                   isa->name);
}

/* Locals become registers, which is the first thing that any optimisation
 * does: only then is it seen whether a result is used. (At -O0 functions are
 * marked and left alone.) */
static bool promote(LLVMModuleRef module, struct err *err)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(module, "function(sroa)", NULL, options);
    LLVMDisposePassBuilderOptions(options);
    if (!error)
        return true;
    char *message = LLVMGetErrorMessage(error);
    err_set(err, ERR_INTERNAL, "promoting locals: %s", message);
    LLVMDisposeErrorMessage(message);
    return false;
}

static bool lower(LLVMModuleRef module, const struct lower_options *o,
                  struct err *err)
{
    if (o->n_maps > 0)
        return lower_threads(module, o, err);
    return lower_accesses(module, o->mapping, o, err);
}

static int write_module(LLVMModuleRef module, struct err *err)
{
    int fd = memfd_create("hwcheck-lowered", 0);
    if (fd >= 0 && LLVMWriteBitcodeToFD(module, fd, false, false) == 0)
        return fd;
    err_set(err, ERR_SYSTEM, "no file in memory: %s", strerror(errno));
    if (fd >= 0)
        close(fd);
    return -1;
}

int lower_bitcode(const struct lower_options *o, int in, struct err *err)
{
    char path[40], *message = NULL;
    LLVMContextRef context = LLVMContextCreate();
    LLVMMemoryBufferRef buffer = NULL;
    LLVMModuleRef module = NULL;
    int fd = -1;
    snprintf(path, sizeof path, "/proc/self/fd/%d", in);
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message) ||
        LLVMParseBitcodeInContext2(context, buffer, &module))
        err_set(err, ERR_INPUT, "what the compiler gave is not LLVM IR: %s",
                message ? message : "unreadable");
    else if (promote(module, err) && lower(module, o, err))
        fd = write_module(module, err);
    LLVMDisposeMessage(message);
    if (module)
        LLVMDisposeModule(module);
    if (buffer)
        LLVMDisposeMemoryBuffer(buffer);
    LLVMContextDispose(context);
    return fd;
}
