/* NCCL, NVIDIA's library of collective operations, opened at run time. One communicator per device of a group, all in
 * this process. NVLink multicast (NVLS) is off unless the user's environment sets it. */
#pragma once

#include "distributed/group.h"

struct nccl;

/* Opens NCCL for a group. The caller closes *nccl. STATUS_UNAVAILABLE, with the reason and the package to install,
 * without NCCL or when NCCL refuses the group. */
enum status nccl_open(const struct device_group *group, struct nccl **nccl, struct error *error);
void nccl_close(struct nccl *nccl); /* NULL is fine */

/* One message: `bytes` from a buffer of device `from` to a buffer of device `to`. */
struct nccl_message {
    size_t from, to; /* indices of devices */
    const struct buffer *source, *target;
    size_t source_offset, target_offset, bytes;
};

/* Enqueues all messages as one group of sends and receives in the devices' selected queues. A device may send to
 * itself; a message of 0 bytes is skipped. */
enum status nccl_exchange(struct nccl *nccl, const struct nccl_message *messages, size_t count, struct error *error);
