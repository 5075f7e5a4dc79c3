/* The target of an explanation: an architecture, a published GPU, or a device of this machine. */
#ifndef USKOR_EXPLAIN_TARGET_H
#define USKOR_EXPLAIN_TARGET_H

#include "architectures/architectures.h"
#include "architectures/caches.h"
#include "backends/backend.h"

#define EXPLAIN_ARCHITECTURE_MAX 24

/* The resources' rates. 0: unknown, and then the resource has no time. */
enum explain_ceiling {
    EXPLAIN_CLOCK,       /* GHz */
    EXPLAIN_FMA_F32,     /* GFLOP/s, two for a multiply-add */
    EXPLAIN_FMA_F64,     /* … */
    EXPLAIN_TENSOR_BF16, /* … */
    EXPLAIN_LOCAL_READ,  /* GB/s: the local memory of a GPU's groups */
    EXPLAIN_L1_READ,     /* … */
    EXPLAIN_L2_READ,     /* … */
    EXPLAIN_L3_READ,     /* … */
    EXPLAIN_DRAM_READ,   /* … */
    EXPLAIN_DRAM_COPY,   /* … read and written */
    EXPLAIN_CEILINGS,
};

struct explain_target {
    char name[256]; /* as shown to the user: "sm_90", "Tesla K40", "cuda:0 (NVIDIA H200)" */
    enum backend_kind kind;
    int compute;                         /* 90 for 9.0; 0 where there is none */
    const struct capability *capability; /* NULL: not a CUDA architecture */
    const struct gpu *gpu;               /* NULL: its figures are not known */
    struct device_properties properties; /* of the device, or made of the tables */
    int units;                           /* multiprocessors or cores; 0: unknown */
    double ceilings[EXPLAIN_CEILINGS];
    bool measured[EXPLAIN_CEILINGS];     /* by `uskor ceilings`; else published, or derived from what is published */
    double one_thread[EXPLAIN_CEILINGS]; /* of a CPU: the same for one thread, measured; 0: unknown */
    const struct cpu_caches *caches;     /* a CPU of the tables that is not here; NULL: none, or this machine's own */
};

/* Reads "sm_90", "9.0", "compute_90", or a GPU's published name ("Tesla K40", any case; its end is enough where that is
 * unmistakable: "K40"), or a CPU whose caches are in the tables ("Zen 4"). STATUS_INVALID with the closest match for
 * anything else. An architecture names the GPU of the tables that has it, the newest in the list where there are
 * several. */
enum status explain_target_parse(const char *text, struct explain_target *target, struct error *error);

/* A device of this machine: its properties, and the published figures of its GPU. The caller adds what was measured. */
void explain_target_of_device(const struct device *device, struct explain_target *target);

/* A ceiling that was measured takes the place of the published one. */
void explain_target_measured(struct explain_target *target, enum explain_ceiling ceiling, double rate);

#endif
