/* Ladders over devices: for each kernel a list of ways to solve one problem on several devices of one host. The arrays
 * start and end distributed: each device has its share of each. Rungs neither allocate memory (beyond what prepare
 * makes) nor time, print or check; the lab does (distributed/bench.h). */
#ifndef USKOR_DISTRIBUTED_LADDER_H
#define USKOR_DISTRIBUTED_LADDER_H

#include "distributed/group.h"
#include "distributed/nccl.h"
#include "kernels/kernel.h"

/* Bytes of an array that lie on one device. */
struct share {
    size_t offset, bytes;
};

enum device_rung_needs {
    NEEDS_PEERS = 1 << 0, /* devices reach each other's memory */
    NEEDS_NCCL = 1 << 1,
};

struct device_ladder;
struct device_rung;

/* A rung's view of its run. */
struct device_run {
    const struct device_ladder *ladder;
    const struct device_rung *rung;
    const struct problem *problem; /* the whole one */
    const struct device_group *group;
    struct nccl *nccl; /* NULL unless the rung needs it */
    int array_count;
    struct buffer buffers[GROUP_MAX][KERNEL_ARRAYS_MAX]; /* each device's shares */
    struct buffer scratch[GROUP_MAX];                    /* as much as the rung asks for */
    void *state;                                         /* what prepare made */
    double bound;                                        /* of the error, as a local rung states it; 0: nothing */
    char detail[96];                                     /* what prepare found worth telling: the local rung */
};

struct device_rung {
    const char *name, *idea;
    unsigned needs; /* device_rung_needs */
    /* Bytes on device `index`; NULL: none. */
    size_t (*scratch)(const struct problem *problem, size_t index, size_t count);
    enum status (*prepare)(struct device_run *run, struct error *error);
    /* Enqueues the work on every device, and may wait. All queues but the devices' own are joined to those. */
    enum status (*enqueue)(struct device_run *run, struct error *error);
    void (*finish)(struct device_run *run);
};

struct device_ladder {
    const struct kernel *kernel;
    const struct device_rung *const *rungs; /* in teaching order */
    size_t rung_count;
    /* What of array `array` lies on device `index` of `count`. A device may have nothing. Shares of an output do not
     * overlap and cover it, unless `owner_only` says that device 0 alone has it. */
    struct share (*share)(const struct problem *problem, int array, size_t index, size_t count);
    /* NULL, or why so many devices cannot share this problem, written to `reason`. NULL function: they always can. */
    const char *(*refuses)(const struct problem *problem, size_t count, char *reason, size_t size);
    /* Bytes that the busiest device must at least receive from others; 0: next to nothing. */
    double (*link_bytes)(const struct problem *problem, size_t count);
    /* Makes the problem `count` times as large, for weak scaling. */
    void (*grow)(struct problem *problem, size_t count);
    bool same_bits;    /* answers have the same bits on any number of devices: bench holds every rung to it */
    const char *bench; /* what is measured by default */
};

extern const struct device_ladder *const device_ladders[]; /* NULL-terminated */

/* The kernel's ladder over devices; NULL and a message when it has none. */
const struct device_ladder *device_ladder_of(const struct kernel *kernel, struct error *error);

/* `units` (rows, elements) dealt out to `count` devices as evenly as can be, in blocks of `block` units; where device
 * `index` begins (index = count: ends). */
size_t deal_begin(size_t units, size_t block, size_t count, size_t index);

#endif
