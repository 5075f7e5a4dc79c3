#include "distributed/ranks/rank_nccl.h"

#include <stdlib.h>

#include "distributed/nccl.h"

struct rank_nccl {
    struct nccl_functions call;
    nccl_communicator communicator;
    struct device *device;
    int count, rank;
    bool has_failed;
};

static enum status load(struct rank_nccl *nccl, struct device *device, struct error *error)
{
    if (!nccl)
        return fail(error, STATUS_UNAVAILABLE, "no memory for NCCL");
    nccl->device = device;
    if (device->backend->kind != BACKEND_CUDA)
        return fail(error, STATUS_UNAVAILABLE, "NCCL works on CUDA devices only");
    enum status status = nccl_load(&nccl->call, error);
    /* Makes the device's context the thread's: NCCL uses the thread's current device. */
    return status == STATUS_OK ? device_synchronize(device, error) : status;
}

/* All ranks agree before each collective step of NCCL: inside such a step, NCCL would wait for a missing rank. */
static enum status connect(struct rank_nccl *nccl, const struct ranks *ranks, struct error *error)
{
    struct nccl_id id = {{0}};
    enum status status = STATUS_OK;
    if (ranks->rank == 0) /* nccl_load() has filled the table: */
        /* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage) */
        status = nccl_check(&nccl->call, nccl->call.GetUniqueId(&id), "making an identifier", error);
    status = ranks_agree(ranks, status, error);
    if (status == STATUS_OK)
        status = ranks_broadcast(ranks, &id, sizeof id, 0, error);
    if (status != STATUS_OK)
        return status;
    nccl->count = ranks->count;
    nccl->rank = ranks->rank;
    /* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage) */
    status = nccl_check(&nccl->call, nccl->call.CommInitRank(&nccl->communicator, ranks->count, id, ranks->rank),
                        "connecting the ranks", error);
    return ranks_agree(ranks, status, error);
}

enum status rank_nccl_open(const struct ranks *ranks, struct device *device, struct rank_nccl **nccl,
                           struct error *error)
{
    struct rank_nccl *made = calloc(1, sizeof *made);
    *nccl = NULL;
    enum status status = ranks_agree(ranks, load(made, device, error), error);
    if (status == STATUS_OK)
        status = connect(made, ranks, error);
    if (status == STATUS_OK)
        *nccl = made;
    else
        rank_nccl_close(made);
    return status;
}

void rank_nccl_close(struct rank_nccl *nccl)
{
    if (nccl && nccl->communicator)
        (nccl->has_failed ? nccl->call.CommAbort : nccl->call.CommDestroy)(nccl->communicator);
    free(nccl);
}

static int post(const struct rank_nccl *nccl, const struct buffer *from, const struct rank_pieces *send,
                const struct buffer *to, const struct rank_pieces *receive, int r)
{
    void *stream = nccl->device->native_queue;
    int result = NCCL_SUCCESS;
    if (send->bytes[r])
        result = nccl->call.Send((const char *)from->native + send->offsets[r], send->bytes[r], NCCL_UINT8, r,
                                 nccl->communicator, stream);
    if (result == NCCL_SUCCESS && receive->bytes[r])
        result = nccl->call.Recv((char *)to->native + receive->offsets[r], receive->bytes[r], NCCL_UINT8, r,
                                 nccl->communicator, stream);
    return result;
}

/* CommDestroy would wait for the ranks of an exchange that does not end. */
static enum status outcome(struct rank_nccl *nccl, enum status status)
{
    nccl->has_failed = nccl->has_failed || status != STATUS_OK;
    return status == STATUS_OK ? STATUS_OK : STATUS_SYSTEM;
}

enum status rank_nccl_exchange(struct rank_nccl *nccl, const struct buffer *from, const struct rank_pieces *send,
                               const struct buffer *to, const struct rank_pieces *receive, struct error *error)
{
    int result = nccl->call.GroupStart();
    for (int r = 0; result == NCCL_SUCCESS && r < nccl->count; r++)
        result = post(nccl, from, send, to, receive, r);
    int ended = nccl->call.GroupEnd();
    return outcome(nccl,
                   nccl_check(&nccl->call, result != NCCL_SUCCESS ? result : ended, "sending and receiving", error));
}

enum status rank_nccl_wait(struct rank_nccl *nccl, struct error *error)
{
    return outcome(nccl, device_synchronize(nccl->device, error));
}
