/* NCCL, NVIDIA's library of collective operations, one communicator per device of a group, all in this process. Opened
 * when the program runs. NVLink multicast (NVLS) is switched off unless the user's environment says otherwise. */
#ifndef USKOR_DISTRIBUTED_NCCL_H
#define USKOR_DISTRIBUTED_NCCL_H

#include "distributed/group.h"

struct nccl;

/* STATUS_UNAVAILABLE with the reason and the package to install where there is no NCCL, or it refuses the group. The
 * caller closes it. */
enum status nccl_open(const struct device_group *group, struct nccl **nccl, struct error *error);
void nccl_close(struct nccl *nccl); /* NULL is fine */

/* 22809 for 2.28.9. */
int nccl_version(const struct nccl *nccl);

/* One message: `bytes` from a place on device `from` to one on device `to`. */
struct nccl_message {
    size_t from, to; /* numbers of devices */
    const struct buffer *source, *target;
    size_t source_offset, target_offset, bytes;
};

/* Enqueues all of them as one group of sends and receives, in the devices' selected queues. A message of a device to
 * itself is allowed; one of 0 bytes is left out. */
enum status nccl_exchange(struct nccl *nccl, const struct nccl_message *messages, size_t count, struct error *error);

#endif
