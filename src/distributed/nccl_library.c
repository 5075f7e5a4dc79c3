#include "distributed/nccl.h"

#include <stdlib.h>

#include "base/dynamic_library.h"
#include "base/size.h"
#include "base/translation.h"

#define ADVICE \
    N_("install NVIDIA's libnccl2, or the Python package nvidia-nccl-cu13 and name its folder lib in USKOR_NCCL")

#define SYMBOL(name)                                           \
    {                                                          \
        "nccl" #name, offsetof(struct nccl_functions, name), 0 \
    }
static const struct dynamic_symbol symbols[] = {
    SYMBOL(GetErrorString), SYMBOL(GetUniqueId), SYMBOL(CommInitAll), SYMBOL(CommInitRank), SYMBOL(CommDestroy),
    SYMBOL(CommAbort),      SYMBOL(GroupStart),  SYMBOL(GroupEnd),    SYMBOL(Send),         SYMBOL(Recv),
};
#undef SYMBOL

/* Multicast over NVSwitch is off unless the user requests it: it can make GPUs that others use unavailable. */
enum status nccl_load(struct nccl_functions *call, struct error *error)
{
    const char *own = getenv("USKOR_NCCL");
    const char *const folders[] = {own, NULL};
    static const char *const names[] = {"libnccl.so.2", NULL};
    const struct dynamic_library library = {
        .title = "NCCL", .names = names, .folders = own && *own ? folders : NULL, .advice = ADVICE};
    void *handle;
    setenv("NCCL_NVLS_ENABLE", "0", 0);
    return dynamic_library_open(&library, symbols, COUNT_OF(symbols), call, &handle, error);
}

enum status nccl_check(const struct nccl_functions *call, int result, const char *doing, struct error *error)
{
    return result == NCCL_SUCCESS
               ? STATUS_OK
               : fail(error, STATUS_UNAVAILABLE, "NCCL: %s: %s", doing, call->GetErrorString(result));
}
