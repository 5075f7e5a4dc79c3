/* Several devices of one host that work on one problem. A device may be in a group more than once: what it computes is
 * then right, and its times say nothing about links. */
#ifndef USKOR_DISTRIBUTED_GROUP_H
#define USKOR_DISTRIBUTED_GROUP_H

#include "backends/peer.h"

#define GROUP_MAX 16

struct device_group {
    struct device *devices[GROUP_MAX];
    size_t count;
    char labels[GROUP_MAX][32]; /* "cuda:0"; "cuda:0#2" of one that is in it a second time */
    char name[32];              /* "cuda:0..3", "cuda:0,cuda:2"; of one device its id */
    bool has_peers;             /* every device reads and writes every other's memory */
    struct error why_no_peers;  /* else */
    bool is_one_device;         /* a device is in it twice */
    struct event *marks[GROUP_MAX];
    struct program *helpers[GROUP_MAX]; /* where devices have no addresses or no copy engine of their own */
};

/* Reads "cuda:0..3", "cuda:0,cuda:2", "cuda" (all of them) into ids of 32 bytes each. STATUS_INVALID for anything else,
 * STATUS_UNAVAILABLE for a backend without devices. */
enum status group_parse(const char *text, char ids[GROUP_MAX][32], size_t *count, struct error *error);

/* Opens the devices and lets them reach each other's memory. Closed by the caller, on failure too. */
enum status group_open(const char *text, struct device_group *group, struct error *error);
void group_close(struct device_group *group);

/* The first `count` devices of an open group; not to be closed. */
struct device_group group_first(const struct device_group *group, size_t count);

/* Waits for the selected queue of every device. */
enum status group_synchronize(const struct device_group *group, struct error *error);

/* What a device does from now on begins when everything that the group's selected queues hold now is done. */
enum status group_barrier(const struct device_group *group, struct error *error);

/* As peer_copy; `by` is a device's number. */
enum status group_copy(const struct device_group *group, size_t by, const struct peer_copy *copy, struct error *error);

/* Where a buffer of device `index` lies for the kernels of the whole group. STATUS_UNAVAILABLE where addresses mean
 * nothing to others. */
enum status group_address(const struct device_group *group, size_t index, const struct buffer *buffer, int64_t *address,
                          struct error *error);

/* The rate of the slowest link of the group in each direction, and its name; 0 where one is not known. */
double group_link(const struct device_group *group, char *name, size_t size);

#endif
