/* Several devices of one host that work on one problem. A device may be in a group more than once: the results are then
 * right, but the times do not measure links. */
#pragma once

#include "backends/peer.h"

#define GROUP_MAX 16

struct device_group {
    struct device *devices[GROUP_MAX];
    size_t count;
    char labels[GROUP_MAX][32]; /* "cuda:0"; "cuda:0#2" for its second entry */
    char name[32];              /* "cuda:0..3", "cuda:0,cuda:2"; for one device, its id */
    bool has_peers;             /* every device can access every other's memory */
    struct error why_no_peers;  /* the reason when they cannot */
    bool is_one_device;         /* some device is in it twice */
    struct event *marks[GROUP_MAX];
    struct program *helpers[GROUP_MAX]; /* copy kernels, for devices without addresses or a copy engine */
};

/* Parses "cuda:0..3", "cuda:0,cuda:2" or "cuda" (all of them) into ids of 32 bytes each. STATUS_INVALID for anything
 * else; STATUS_UNAVAILABLE for a backend without devices. */
enum status group_parse(const char *text, char ids[GROUP_MAX][32], size_t *count, struct error *error);

/* Opens the devices and enables peer access between them. The caller closes the group, on failure too. */
enum status group_open(const char *text, struct device_group *group, struct error *error);
void group_close(struct device_group *group);

/* A group of a device that the caller has opened and closes. The caller ends the group, on failure too. */
enum status group_of_one(struct device *device, struct device_group *group, struct error *error);
void group_of_one_end(struct device_group *group);

/* The first `count` devices of an open group; a view, not to be closed. */
struct device_group group_first(const struct device_group *group, size_t count);

/* Waits for the selected queue of every device. */
enum status group_synchronize(const struct device_group *group, struct error *error);

/* Makes later work of every device wait for the present work of all selected queues of the group. */
enum status group_barrier(const struct device_group *group, struct error *error);

/* As peer_copy; `by` is the index of the device that copies. */
enum status group_copy(const struct device_group *group, size_t by, const struct peer_copy *copy, struct error *error);

/* The address of a buffer of device `index` for kernels of the whole group. STATUS_UNAVAILABLE where addresses are not
 * valid on other devices. */
enum status group_address(const struct device_group *group, size_t index, const struct buffer *buffer, int64_t *address,
                          struct error *error);

/* Returns the rate of the group's slowest link in one direction, bytes per second, and writes its name; 0 when one is
 * unknown. */
double group_link(const struct device_group *group, char *name, size_t size);
