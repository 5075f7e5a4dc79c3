#include "distributed/nccl.h"

#include <stdlib.h>

struct nccl {
    struct nccl_functions call;
    const struct device_group *group;
    nccl_communicator communicators[GROUP_MAX];
};

static enum status check(const struct nccl *nccl, int result, const char *doing, struct error *error)
{
    return nccl_check(&nccl->call, result, doing, error);
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
    enum status status = nccl_load(&made->call, error);
    if (status == STATUS_OK)
        status = check(made, made->call.CommInitAll(made->communicators, (int)group->count, indices),
                       "making the communicators", error);
    if (status == STATUS_OK)
        *nccl = made;
    else
        nccl_close(made);
    return status;
}

void nccl_close(struct nccl *nccl)
{
    for (size_t i = 0; nccl && i < GROUP_MAX; i++)
        if (nccl->communicators[i])
            nccl->call.CommDestroy(nccl->communicators[i]);
    free(nccl);
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
