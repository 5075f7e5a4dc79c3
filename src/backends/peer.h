/* Several devices of one host: one reads and writes the other's memory, copies between them, and waits for each other.
 */
#pragma once

#include "backends/backend.h"

/* A rectangle of bytes from one buffer to another: `rows` rows of `width` bytes, whose beginnings are a pitch apart on
 * either side (of no matter when there is one row). */
struct peer_copy {
    const struct buffer *source, *target;
    size_t source_offset, source_pitch;
    size_t target_offset, target_pitch;
    size_t width, rows;
};

/* The wires between two devices. */
struct peer_link {
    char name[48];           /* "NVLink 4.0 ×18", "PCIe 5.0 x16" */
    double bytes_per_second; /* in each direction, after its line code; 0: not known */
};

/* From now on `device` may read and write the memory of `peer`, in copies and in kernels. STATUS_UNAVAILABLE with the
 * reason where it cannot. Twice does no harm. */
enum status peer_enable(struct device *device, struct device *peer, struct error *error);

/* Enqueued in the selected queue of `by`, one of the two devices; ranges are checked first (STATUS_INVALID). Both
 * buffers may be of one device. STATUS_UNAVAILABLE where the backend copies nothing between devices. */
enum status peer_copy(struct device *by, const struct peer_copy *copy, struct error *error);

/* Work enqueued in the device's selected queue from now on begins after the mark, which was recorded on any device.
 * Where devices cannot wait for each other, the host does it for them. */
enum status peer_wait(struct device *device, struct event *mark, struct error *error);

/* What connects the two; false where that is not known. */
bool peer_link_find(const struct device *device, const struct device *peer, struct peer_link *link);
