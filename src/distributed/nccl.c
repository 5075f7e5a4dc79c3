#include "distributed/nccl.h"

#include <stdlib.h>

#include "base/dynamic_library.h"
#include "base/size.h"
#include "base/translation.h"

#define ADVICE \
    N_("install NVIDIA's libnccl2, or the Python package nvidia-nccl-cu13 and name its folder lib in USKOR_NCCL")

enum { NCCL_SUCCESS = 0, NCCL_UINT8 = 1 };

typedef struct ncclComm *nccl_communicator;

struct nccl_functions {
    int (*GetVersion)(int *version);
    const char *(*GetErrorString)(int result);
    const char *(*GetLastError)(nccl_communicator communicator);
    int (*CommInitAll)(nccl_communicator *communicators, int count, const int *devices);
    int (*CommDestroy)(nccl_communicator communicator);
    int (*GroupStart)(void);
    int (*GroupEnd)(void);
    int (*Send)(const void *data, size_t count, int type, int peer, nccl_communicator communicator, void *stream);
    int (*Recv)(void *data, size_t count, int type, int peer, nccl_communicator communicator, void *stream);
};

#define SYMBOL(name, optional)                                        \
    {                                                                 \
        "nccl" #name, offsetof(struct nccl_functions, name), optional \
    }
static const struct dynamic_symbol symbols[] = {
    SYMBOL(GetVersion, 0),  SYMBOL(GetErrorString, 0), SYMBOL(GetLastError, 1),
    SYMBOL(CommInitAll, 0), SYMBOL(CommDestroy, 0),    SYMBOL(GroupStart, 0),
    SYMBOL(GroupEnd, 0),    SYMBOL(Send, 0),           SYMBOL(Recv, 0),
};
#undef SYMBOL

struct nccl {
    struct nccl_functions call;
    void *handle;
    const struct device_group *group;
    nccl_communicator communicators[GROUP_MAX];
    int version;
};

static enum status check(const struct nccl *nccl, int result, const char *doing, struct error *error)
{
    return result == NCCL_SUCCESS
               ? STATUS_OK
               : fail(error, STATUS_UNAVAILABLE, "NCCL: %s: %s", doing, nccl->call.GetErrorString(result));
}

/* Multicast over NVSwitch can put GPUs that others use out of service: only who asks for it gets it. */
static enum status load(struct nccl *nccl, struct error *error)
{
    const char *own = getenv("USKOR_NCCL");
    const char *const folders[] = {own, NULL};
    static const char *const names[] = {"libnccl.so.2", NULL};
    const struct dynamic_library library = {
        .title = "NCCL", .names = names, .folders = own && *own ? folders : NULL, .advice = ADVICE};
    setenv("NCCL_NVLS_ENABLE", "0", 0);
    return dynamic_library_open(&library, symbols, COUNT_OF(symbols), &nccl->call, &nccl->handle, error);
}

enum status nccl_open(const struct device_group *group, struct nccl **nccl, struct error *error)
{
    int indices[GROUP_MAX];
    *nccl = NULL;
    if (group->is_one_device)
        return fail(error, STATUS_UNAVAILABLE, "NCCL takes no device twice");
    for (size_t i = 0; i < group->count; i++) {
        if (group->devices[i]->backend->kind != BACKEND_CUDA)
            return fail(error, STATUS_UNAVAILABLE, "NCCL works on CUDA devices only");
        indices[i] = group->devices[i]->index;
    }
    struct nccl *made = calloc(1, sizeof *made);
    if (!made)
        return fail(error, STATUS_UNAVAILABLE, "no memory for NCCL");
    made->group = group;
    enum status status = load(made, error);
    if (status == STATUS_OK)
        status = check(made, made->call.GetVersion(&made->version), "asking for its version", error);
    if (status == STATUS_OK)
        status = check(made, made->call.CommInitAll(made->communicators, (int)group->count, indices),
                       "making the communicators", error);
    if (status == STATUS_OK)
        *nccl = made;
    else
        nccl_close(made);
    return status;
}

/* The library stays open: its threads end with the program. */
void nccl_close(struct nccl *nccl)
{
    for (size_t i = 0; nccl && nccl->handle && i < GROUP_MAX; i++)
        if (nccl->communicators[i])
            nccl->call.CommDestroy(nccl->communicators[i]);
    free(nccl);
}

int nccl_version(const struct nccl *nccl)
{
    return nccl->version;
}

static int post(const struct nccl *nccl, const struct nccl_message *message)
{
    const struct device_group *group = nccl->group;
    const void *source = (const char *)message->source->native + message->source_offset;
    void *target = (char *)message->target->native + message->target_offset;
    int result = nccl->call.Send(source, message->bytes, NCCL_UINT8, (int)message->to,
                                 nccl->communicators[message->from], group->devices[message->from]->native_queue);
    return result != NCCL_SUCCESS
               ? result
               : nccl->call.Recv(target, message->bytes, NCCL_UINT8, (int)message->from,
                                 nccl->communicators[message->to], group->devices[message->to]->native_queue);
}

enum status nccl_exchange(struct nccl *nccl, const struct nccl_message *messages, size_t count, struct error *error)
{
    int result = nccl->call.GroupStart();
    for (size_t i = 0; result == NCCL_SUCCESS && i < count; i++)
        if (messages[i].bytes)
            result = post(nccl, &messages[i]);
    int ended = nccl->call.GroupEnd();
    return check(nccl, result != NCCL_SUCCESS ? result : ended, "sending and receiving", error);
}
