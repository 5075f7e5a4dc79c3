/* NCCL between ranks: one communicator for the ranks of a group, each with a CUDA device of its own. */
#pragma once

#include "backends/backend.h"
#include "distributed/ranks/ranks.h"

struct rank_nccl;

/* Collective: rank 0 makes NCCL's identifier, MPI brings it to all. STATUS_UNAVAILABLE on every rank, with the reason
 * of the first, where one has no NCCL or no CUDA device. A rank that is killed while NCCL connects makes the others
 * wait until mpirun ends them. */
enum status rank_nccl_open(const struct ranks *ranks, struct device *device, struct rank_nccl **nccl,
                           struct error *error);
void rank_nccl_close(struct rank_nccl *nccl); /* NULL is fine */

/* Collective, enqueued in the device's selected queue as one group: piece r of `from` goes to rank r, and what rank r
 * sends to piece r of `to`. `data` of both is not used. */
enum status rank_nccl_exchange(struct rank_nccl *nccl, const struct buffer *from, const struct rank_pieces *send,
                               const struct buffer *to, const struct rank_pieces *receive, struct error *error);

/* Waits for the exchange, and for all else in that queue.
 *
 * STATUS_SYSTEM, here and from rank_nccl_exchange: this rank takes part no more, say because its device has failed. The
 * others may wait inside NCCL, where no agreement reaches them: the caller ends all ranks. */
enum status rank_nccl_wait(struct rank_nccl *nccl, struct error *error);
