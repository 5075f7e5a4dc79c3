/* NCCL, NVIDIA's library of collective operations, opened at run time. One communicator per device of a group, all in
 * this process. NVLink multicast (NVLS) is off unless the user's environment sets it. */
#pragma once

#include <stddef.h>

#include "base/status.h"
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

/* The functions of NCCL that are called here, opened when the program runs. */

enum { NCCL_SUCCESS = 0, NCCL_UINT8 = 1 };

typedef struct ncclComm *nccl_communicator;

/* What one process makes and all of a communicator must know; passed by value. */
struct nccl_id {
    char bytes[128];
};

struct nccl_functions {
    const char *(*GetErrorString)(int result);
    int (*GetUniqueId)(struct nccl_id *id);
    int (*CommInitAll)(nccl_communicator *communicators, int count, const int *devices);
    int (*CommInitRank)(nccl_communicator *communicator, int count, struct nccl_id id, int rank);
    int (*CommDestroy)(nccl_communicator communicator);
    int (*CommAbort)(nccl_communicator communicator);
    int (*GroupStart)(void);
    int (*GroupEnd)(void);
    int (*Send)(const void *data, size_t count, int type, int peer, nccl_communicator communicator, void *stream);
    int (*Recv)(void *data, size_t count, int type, int peer, nccl_communicator communicator, void *stream);
};

/* Opens libnccl.so.2 of the system, or of the folder that USKOR_NCCL names. NVLink multicast (NVLS) is switched off
 * unless the user's environment says otherwise. STATUS_UNAVAILABLE with the package to install. The library stays open:
 * its threads end with the program. */
enum status nccl_load(struct nccl_functions *call, struct error *error);

/* STATUS_UNAVAILABLE with NCCL's words for any other result than success. */
enum status nccl_check(const struct nccl_functions *call, int result, const char *doing, struct error *error);
