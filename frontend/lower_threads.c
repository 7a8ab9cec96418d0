#include "frontend/lower.h"
bool lower_threads(struct LLVMOpaqueModule *module,
                   const struct lower_options *o, struct err *err)
{
    (void)module;
    (void)o;
    return err_set(err, ERR_USAGE, "--map: not yet");
}
