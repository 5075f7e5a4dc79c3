/* One exchange of bytes within a group, by any of the available means. `uskor bandwidth --peers` times it. */
#pragma once

#include "distributed/group.h"
#include "distributed/host_path.h"
#include "distributed/nccl.h"

enum peer_means {
    PEER_HOST,   /* through pinned host memory */
    PEER_ENGINE, /* copy engines, device to device */
    PEER_STORES, /* a kernel on the sender stores to the receiver's memory */
    PEER_LOADS,  /* a kernel on the receiver loads from the sender's memory */
    PEER_NCCL,   /* NCCL's send and receive */
    PEER_MEANS_COUNT,
};

extern const char *const peer_means_names[PEER_MEANS_COUNT]; /* "through-host", … */
extern const char *const peer_means_ideas[PEER_MEANS_COUNT];

struct peer_transfer {
    size_t from, to;                            /* indices of two different devices */
    size_t source_offset, target_offset, bytes; /* multiples of 16 */
};

struct peer_exchange {
    const struct device_group *group;
    size_t bytes; /* of each buffer, a multiple of 16 */
    struct buffer sent[GROUP_MAX], received[GROUP_MAX];
    unsigned char *expected[GROUP_MAX];         /* the content of `sent` */
    unsigned char *seen;                        /* as large as one buffer */
    struct queue *queues[GROUP_MAX][GROUP_MAX]; /* one per peer of a device; NULL: the device has only one queue */
    struct queue *arrivals[GROUP_MAX][GROUP_MAX];
    struct program *programs[GROUP_MAX];
    int64_t sent_at[GROUP_MAX], received_at[GROUP_MAX];
    struct host_path *paths[GROUP_MAX][GROUP_MAX];
    struct nccl *nccl;
    struct error why_no_nccl;
};

/* Allocates buffers of `bytes` bytes on every device and fills those to send with noise. The caller destroys the
 * exchange, on failure too. */
enum status peer_exchange_create(const struct device_group *group, size_t bytes, struct peer_exchange *exchange,
                                 struct error *error);
void peer_exchange_destroy(struct peer_exchange *exchange);

/* Enqueues all transfers without waiting. STATUS_UNAVAILABLE where the group lacks these means. */
enum status peer_exchange_enqueue(struct peer_exchange *exchange, enum peer_means means,
                                  const struct peer_transfer *transfers, size_t count, struct error *error);
/* Waits for transfers enqueued with the same arguments. */
enum status peer_exchange_finish(struct peer_exchange *exchange, enum peer_means means,
                                 const struct peer_transfer *transfers, size_t count, struct error *error);

/* Overwrites the targets, does the transfers once, and compares every byte. STATUS_FAILED when one is wrong. */
enum status peer_exchange_verify(struct peer_exchange *exchange, enum peer_means means,
                                 const struct peer_transfer *transfers, size_t count, struct error *error);
