/* Ladders over devices: each kernel's rungs that solve one problem on several devices of one host. Arrays start and end
 * distributed: each device has its share of each. Rungs do not allocate (except in prepare), time, print or check; the
 * lab does (distributed/bench.h). */
#pragma once

#include "distributed/group.h"
#include "distributed/nccl.h"
#include "kernels/kernel.h"

/* The part of an array on one device. */
struct share {
    size_t offset, bytes;
};

enum device_rung_needs {
    NEEDS_PEERS = 1 << 0, /* peer access between the devices */
    NEEDS_NCCL = 1 << 1,
};

/* How a rung's bytes travel (distributed/carrier.h). */
enum carrier_kind {
    CARRIER_HOST,  /* through pinned host memory */
    CARRIER_PEERS, /* copy engines, device to device */
    CARRIER_NCCL,  /* NCCL's send and receive; only contiguous rows */
};

struct device_ladder;
struct device_rung;

/* A rung's view of its run. */
struct device_run {
    const struct device_ladder *ladder;
    const struct device_rung *rung;
    const struct problem *problem; /* the whole problem */
    const struct device_group *group;
    struct nccl *nccl; /* NULL unless the rung needs it */
    int array_count;
    struct buffer buffers[GROUP_MAX][KERNEL_ARRAYS_MAX]; /* the shares of each device */
    struct buffer scratch[GROUP_MAX];                    /* of the size that the rung asks for */
    void *state;                                         /* owned by the rung; made by prepare */
    double bound;                                        /* error bound, as the local rung declares it; 0: none */
    char detail[96];                                     /* a note from prepare: the local rung */
};

struct device_rung {
    const char *name, *idea;
    unsigned needs; /* device_rung_needs */
    /* For the prediction: the work of the busiest device in units of all the work of one device. NULL: an even share.
     */
    double (*work)(const struct problem *problem, size_t count);
    bool overlaps; /* the links carry the bytes while the devices compute; otherwise before or after it */
    /* What rungs that share their functions differ in. */
    enum carrier_kind carrier;
    int way; /* the kernel's own kinds, such as enum runs_joined */
    /* Scratch on device `index`, bytes. NULL: none. */
    size_t (*scratch)(const struct problem *problem, size_t index, size_t count);
    enum status (*prepare)(struct device_run *run, struct error *error);
    /* Enqueues the work on every device; may wait. Other queues must be joined to the devices' own queues. */
    enum status (*enqueue)(struct device_run *run, struct error *error);
    void (*finish)(struct device_run *run);
};

struct device_ladder {
    const struct kernel *kernel;
    const struct device_rung *const *rungs; /* in teaching order */
    size_t rung_count;
    /* The share of array `array` on device `index` of `count`; it may be empty. The shares of an output are disjoint
     * and cover it, unless `owner_only` says that device 0 has all of it. */
    struct share (*share)(const struct problem *problem, int array, size_t index, size_t count);
    /* Returns NULL, or the reason, written to `reason`, why `count` devices cannot share this problem. A NULL function:
     * they always can. */
    const char *(*refuses)(const struct problem *problem, size_t count, char *reason, size_t size);
    /* Bytes that the busiest device must receive from others; 0: negligible. */
    double (*link_bytes)(const struct problem *problem, size_t count);
    /* The size that is divided, "rows", and where device `index`'s part of it begins (index = count: the end). The row
     * of parts without any exchange solves a problem of each part. */
    const char *axis;
    size_t (*begin)(const struct problem *problem, size_t count, size_t index);
    bool same_bits;    /* answers have the same bits on any number of devices: bench holds every rung to it */
    const char *bench; /* the problem measured by default */
};

extern const struct device_ladder *const device_ladders[]; /* NULL-terminated */

/* Returns the kernel's ladder over devices; NULL, with a message, when it has none. */
const struct device_ladder *device_ladder_of(const struct kernel *kernel, struct error *error);

/* Multiplies the size that is divided by `count`. */
void device_ladder_grow(const struct device_ladder *ladder, struct problem *problem, size_t count);

/* Distributes `units` (rows, elements) over `count` devices as evenly as possible, in blocks of `block` units. Returns
 * where device `index` begins (index = count: the end). */
size_t deal_begin(size_t units, size_t block, size_t count, size_t index);
