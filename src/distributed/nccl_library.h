/* The functions of NCCL that are called here, opened when the program runs. */
#pragma once

#include <stddef.h>

#include "base/status.h"

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
