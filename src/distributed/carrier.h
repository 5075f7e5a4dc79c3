/* A carrier copies bytes between the devices of a run by one of three means, with separate queues for each pair. Rungs
 * that differ only in the means share their code through it. */
#pragma once

#include "distributed/host_path.h"
#include "distributed/ladder.h"
#include "distributed/local_run.h"

/* Members of a rung whose bytes travel by such means. */
#define THROUGH_HOST(words) .name = "through-host", .idea = words, .carrier = CARRIER_HOST
#define BY_PEER_COPIES(words) .name = "peer-copies", .idea = words, .needs = NEEDS_PEERS, .carrier = CARRIER_PEERS
#define BY_NCCL(words) .name = "nccl", .idea = words, .needs = NEEDS_NCCL, .carrier = CARRIER_NCCL

#define CARRIER_MESSAGES_MAX 1024 /* four for each pair of devices: 4 · GROUP_MAX² */

struct carrier {
    enum carrier_kind kind;
    const struct device_run *run;
    struct host_path *paths[GROUP_MAX][GROUP_MAX];
    struct queue *leaving[GROUP_MAX][GROUP_MAX]; /* NULL: the device has one queue */
    struct event *left[GROUP_MAX][GROUP_MAX];
    struct queue *arriving[GROUP_MAX][GROUP_MAX]; /* of CARRIER_HOST only */
    struct event *arrived[GROUP_MAX][GROUP_MAX];
    struct event *begun[GROUP_MAX];
    struct nccl_message messages[CARRIER_MESSAGES_MAX];
    size_t message_count;
};

/* Makes a carrier of the kind that run->rung names. The caller destroys it, on failure too; a zeroed carrier may be
 * destroyed. */
enum status carrier_create(struct carrier *carrier, const struct device_run *run, struct error *error);
void carrier_destroy(struct carrier *carrier);

/* Orders later copies. Copies from device `from` (an index) start after the present work of its own queue; copies
 * through the host arrive after the present work of the receiver's queue. */
enum status carrier_begin(struct carrier *carrier, size_t from, struct error *error);
enum status carrier_begin_all(struct carrier *carrier, struct error *error);

/* Enqueues a copy from a buffer of device `from` to one of device `to`, which may be equal. Afterwards the devices' own
 * queues are selected. With CARRIER_NCCL the copy is only listed; carrier_flush or carrier_join enqueues it. */
enum status carrier_copy(struct carrier *carrier, size_t from, size_t to, const struct peer_copy *copy,
                         struct error *error);

/* With CARRIER_NCCL: enqueues the listed copies now, beside the devices' own queues. Nothing else otherwise. */
enum status carrier_flush(struct carrier *carrier, struct error *error);

/* Makes the own queue of device `to` wait for every copy from `from` that was enqueued before. */
enum status carrier_arrive(struct carrier *carrier, size_t from, size_t to, struct error *error);

/* Makes later copies from each device wait for all copies from it that carrier_arrive has been asked for. Copies to
 * three peers share a device's links unequally otherwise: one pair is pieces ahead while another waits, and nothing is
 * whole until the end. With CARRIER_PEERS only. */
enum status carrier_keep_step(struct carrier *carrier, struct error *error);

/* Makes every device's own queue wait for all copies from it and to it. */
enum status carrier_join(struct carrier *carrier, struct error *error);

/* The state that most rungs over devices have: what carries their bytes, and each device's own part of the problem. */

/* The state of such a rung begins with it. */
struct carried {
    struct carrier carrier;
    struct local_run local[GROUP_MAX];
    struct buffer views[GROUP_MAX];      /* of the device's memory, where the rung has such */
    struct program *programs[GROUP_MAX]; /* the rung's own */
};

/* For rung->prepare. Makes run->state, zeroed, of `state_bytes` (a struct that begins with a struct carried), and the
 * carrier. */
enum status carried_begin(struct device_run *run, size_t state_bytes, struct error *error);

/* Makes a local run on device `index`: carried->local[index], or one of the rung's own. run->detail names its rung. */
enum status carried_local(struct device_run *run, size_t index, const struct problem *problem,
                          const struct buffer *buffers, const struct local_setting *setting, struct local_run *local,
                          struct error *error);

/* For rung->finish, also after a failure: releases all of it, and run->state. What else the state owns is released
 * before. Without a state it does nothing. */
void carried_end(struct device_run *run);
