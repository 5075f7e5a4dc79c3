/* Carries bytes between the devices of a run, each pair in queues of its own, by one of three means. Rungs that differ
 * in nothing else share their code through it. */
#ifndef USKOR_DISTRIBUTED_CARRIER_H
#define USKOR_DISTRIBUTED_CARRIER_H

#include "distributed/host_path.h"
#include "distributed/ladder.h"

enum carrier_kind {
    CARRIER_HOST,  /* to pinned host memory and from there */
    CARRIER_PEERS, /* copy engines, directly */
    CARRIER_NCCL,  /* sends and receives; rectangles must be rows without gaps */
};

#define CARRIER_MESSAGES_MAX (4 * GROUP_MAX * GROUP_MAX)

struct carrier {
    enum carrier_kind kind;
    const struct device_run *run;
    struct host_path *paths[GROUP_MAX][GROUP_MAX];
    struct queue *leaving[GROUP_MAX][GROUP_MAX], *arriving[GROUP_MAX][GROUP_MAX]; /* NULL: the device has one queue */
    struct event *left[GROUP_MAX][GROUP_MAX], *arrived[GROUP_MAX][GROUP_MAX];
    struct event *begun[GROUP_MAX];
    struct nccl_message messages[CARRIER_MESSAGES_MAX];
    size_t message_count;
};

/* Destroyed by the caller, on failure too. A zeroed one is fine for that. */
enum status carrier_create(struct carrier *carrier, enum carrier_kind kind, const struct device_run *run,
                           struct error *error);
void carrier_destroy(struct carrier *carrier);

/* What device `from` (a number) carries from now on begins after what its own queue holds now; what `to` receives
 * through the host, after what its queue holds. */
enum status carrier_begin(struct carrier *carrier, size_t from, struct error *error);

/* Enqueues a copy from a buffer of device `from` to one of device `to`; both may be the same. The devices' own queues
 * are selected afterwards. With CARRIER_NCCL: notes it down until carrier_join. */
enum status carrier_copy(struct carrier *carrier, size_t from, size_t to, const struct peer_copy *copy,
                         struct error *error);

/* Device `to`'s own queue goes on when what `from` has carried to it so far is done. Not with CARRIER_NCCL, which
 * carries nothing before carrier_join. */
enum status carrier_arrive(struct carrier *carrier, size_t from, size_t to, struct error *error);

/* Every device's own queue goes on when all that was carried, from it and to it, is done. */
enum status carrier_join(struct carrier *carrier, struct error *error);

#endif
