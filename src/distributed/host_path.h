/* A copy path between two devices through the host. One device fills pinned buffers while the other empties the
 * previous ones. */
#pragma once

#include "backends/peer.h"

struct host_path;

/* The caller destroys *path. Without pinned memory the buffers are ordinary memory. */
enum status host_path_create(struct device *source, struct device *target, struct host_path **path,
                             struct error *error);
void host_path_destroy(struct host_path *path); /* NULL is fine */

/* Enqueues a copy: to the host in the source's selected queue, from the host in the target's. */
enum status host_path_copy(struct host_path *path, const struct peer_copy *copy, struct error *error);
