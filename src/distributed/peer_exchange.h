/* One exchange of bytes within a group, by any of the means there are: what `uskor bandwidth --peers` times. */
#ifndef USKOR_DISTRIBUTED_PEER_EXCHANGE_H
#define USKOR_DISTRIBUTED_PEER_EXCHANGE_H

#include "distributed/group.h"
#include "distributed/host_path.h"
#include "distributed/nccl.h"

enum peer_means {
    PEER_HOST,   /* to pinned host memory and from there */
    PEER_ENGINE, /* copy engines, directly */
    PEER_STORES, /* a kernel of the sender writes into the receiver's memory */
    PEER_LOADS,  /* a kernel of the receiver reads the sender's memory */
    PEER_NCCL,   /* sends and receives of NCCL */
    PEER_MEANS_COUNT,
};

extern const char *const peer_means_names[PEER_MEANS_COUNT]; /* "through-host", … */
extern const char *const peer_means_ideas[PEER_MEANS_COUNT];

struct peer_transfer {
    size_t from, to;                            /* numbers of devices, different ones */
    size_t source_offset, target_offset, bytes; /* multiples of 16 */
};

struct peer_exchange {
    const struct device_group *group;
    size_t bytes; /* of each buffer, a multiple of 16 */
    struct buffer sent[GROUP_MAX], received[GROUP_MAX];
    unsigned char *expected[GROUP_MAX];         /* what `sent` holds */
    unsigned char *seen;                        /* room for one buffer */
    struct queue *queues[GROUP_MAX][GROUP_MAX]; /* of a device, one for each of its peers; NULL: it has one only */
    struct queue *arrivals[GROUP_MAX][GROUP_MAX];
    struct program *programs[GROUP_MAX];
    int64_t sent_at[GROUP_MAX], received_at[GROUP_MAX];
    struct host_path *paths[GROUP_MAX][GROUP_MAX];
    struct nccl *nccl;
    struct error why_no_nccl;
};

/* Buffers of `bytes` bytes with noise to send on every device. Destroyed by the caller, on failure too. */
enum status peer_exchange_create(const struct device_group *group, size_t bytes, struct peer_exchange *exchange,
                                 struct error *error);
void peer_exchange_destroy(struct peer_exchange *exchange);

/* Enqueues all transfers; nothing is waited for. STATUS_UNAVAILABLE where the group has not these means. */
enum status peer_exchange_enqueue(struct peer_exchange *exchange, enum peer_means means,
                                  const struct peer_transfer *transfers, size_t count, struct error *error);
/* Waits for what was enqueued so. */
enum status peer_exchange_finish(struct peer_exchange *exchange, enum peer_means means,
                                 const struct peer_transfer *transfers, size_t count, struct error *error);

/* Spoils what the transfers write, does them once, and compares every byte: STATUS_FAILED when one is wrong. */
enum status peer_exchange_verify(struct peer_exchange *exchange, enum peer_means means,
                                 const struct peer_transfer *transfers, size_t count, struct error *error);

#endif
