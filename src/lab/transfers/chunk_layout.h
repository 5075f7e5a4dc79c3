/* A job laid out in parts: where on the device each part's arrays lie, and what is copied for it. Data that parts share
 * are on the device once, so that a halo is not copied twice. */
#pragma once

#include "kernels/kernel.h"

struct laid_part {
    struct job_part part;
    struct array arrays[KERNEL_ARRAYS_MAX]; /* of the part's problem */
    struct buffer views[KERNEL_ARRAYS_MAX]; /* what a rung sees */
    size_t at[KERNEL_ARRAYS_MAX];           /* in the lane */
    size_t skip[KERNEL_ARRAYS_MAX];         /* bytes at its beginning that are present already */
    size_t again[KERNEL_ARRAYS_MAX];        /* bytes at its end that are copied on the device, from the first part's */
    size_t again_from[KERNEL_ARRAYS_MAX];   /* where in the lane those are */
    size_t after;                           /* inputs of this many parts before are partly its own */
};

struct chunk_layout {
    struct device *device;
    const struct problem *problem;
    int array_count;
    struct array arrays[KERNEL_ARRAYS_MAX]; /* of the whole problem */
    size_t count;
    struct laid_part *parts;
    struct buffer lanes[KERNEL_ARRAYS_MAX]; /* all parts' arrays one behind another */
};

/* Cuts the problem (one part: the whole of it) and allocates on the device. The problem must outlive the layout, which
 * the caller destroys. STATUS_UNAVAILABLE when the kernel cannot be cut so, with its reason, or memory is out. */
enum status chunk_layout_create(const struct problem *problem, struct device *device, size_t count,
                                struct chunk_layout *layout, struct error *error);
void chunk_layout_destroy(struct chunk_layout *layout); /* a zeroed one is fine */

/* Bytes that travel to the device (from it) for all parts. */
size_t chunk_layout_bytes(const struct chunk_layout *layout, bool to_device);

/* The rectangles among the copied pieces. */
enum chunk_layout_rectangles {
    LAYOUT_WITHOUT_GAPS,
    LAYOUT_LONG_ROWS,  /* rectangles that travel about as fast as bytes without gaps: part_row_bytes */
    LAYOUT_SHORT_ROWS, /* at least one of them is slower */
};
enum chunk_layout_rectangles chunk_layout_rectangles(const struct chunk_layout *layout);

/* True when part of its inputs comes from the first part's, which must be there before it is sent. */
bool chunk_layout_needs_first(const struct chunk_layout *layout, size_t part);

/* Enqueue one part's copies, from and to the whole problem's arrays in host memory. When the kernel joins, the part's
 * outputs go to `joined` instead: as chunk_layout_joined_bytes says, the lanes' outputs one behind another. */
enum status chunk_layout_send(const struct chunk_layout *layout, size_t part, struct host_arrays from,
                              struct error *error);
enum status chunk_layout_receive(const struct chunk_layout *layout, size_t part, struct host_arrays to, void *joined,
                                 struct error *error);

/* Bytes for the parts' outputs when the kernel joins them (and there are several parts); else 0. */
size_t chunk_layout_joined_bytes(const struct chunk_layout *layout);
/* Makes the whole problem's outputs of them. STATUS_UNAVAILABLE: no memory. */
enum status chunk_layout_join(const struct chunk_layout *layout, void *joined, struct host_arrays whole,
                              struct error *error);

/* Into how many parts a job is cut. */

/* Cuts the job that `whole` lays out as one part: into `parts`, or, when that is 0, into as many as suit its size and
 * its rectangles (docs/moving-data.md, Overlap). The caller destroys `cut`, on failure too. Errors as
 * chunk_layout_create. */
enum status partition_job(const struct chunk_layout *whole, size_t parts, struct chunk_layout *cut,
                          struct error *error);
