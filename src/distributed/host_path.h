/* A path between two devices that leads through the host: pieces of pinned memory that one device fills while the
 * other empties those before. */
#ifndef USKOR_DISTRIBUTED_HOST_PATH_H
#define USKOR_DISTRIBUTED_HOST_PATH_H

#include "backends/peer.h"

struct host_path;

/* The caller destroys it. Where nothing can be pinned the pieces are plain memory. */
enum status host_path_create(struct device *source, struct device *target, struct host_path **path,
                             struct error *error);
void host_path_destroy(struct host_path *path); /* NULL is fine */

/* Enqueues the copy's first half in the source's selected queue and its second in the target's. */
enum status host_path_copy(struct host_path *path, const struct peer_copy *copy, struct error *error);

#endif
