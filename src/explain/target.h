/* The target of an explanation: an architecture, a published GPU, or a device of this machine. */
#pragma once

#include "architectures/architectures.h"
#include "architectures/caches.h"
#include "backends/backend.h"

#define EXPLAIN_ARCHITECTURE_MAX 24

/* The resources' rates; 0 when unknown, and then the resource has no time. */
enum explain_ceiling {
    EXPLAIN_CLOCK,       /* GHz */
    EXPLAIN_ISSUE,       /* 10^9 instructions a second, of each thread of a CPU */
    EXPLAIN_FMA_F32,     /* GFLOP/s, a multiply-add counts two */
    EXPLAIN_FMA_F64,     /* … */
    EXPLAIN_TENSOR_BF16, /* … */
    EXPLAIN_LOCAL_READ,  /* GB/s, the groups' local memory */
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
    char device[32];                     /* of this machine: "opencl:0"; empty: it is not here */
    int compute;                         /* 90 for 9.0; 0 for other devices */
    const struct capability *capability; /* NULL: not a CUDA architecture */
    const struct gpu *gpu;               /* NULL: not in the tables */
    struct device_properties properties; /* of the device, or derived from the tables */
    int units;                           /* multiprocessors or cores; 0: unknown */
    double ceilings[EXPLAIN_CEILINGS];
    bool measured[EXPLAIN_CEILINGS]; /* by `uskor ceilings`; otherwise published, or derived from published figures */
    double one_thread[EXPLAIN_CEILINGS]; /* of a CPU: the same for one thread, measured; 0: unknown */
    const struct cpu_caches *caches;     /* a CPU of the tables that is not here; NULL: none, or this machine's own */
};

/* Parses "sm_90", "9.0", "compute_90", or a GPU's published name ("Tesla K40"; in any case; an unambiguous ending such
 * as "K40" suffices). An architecture stands for its GPU in the tables, the newest of several. STATUS_INVALID, with the
 * closest name, for anything else. */
enum status explain_target_parse(const char *text, struct explain_target *target, struct error *error);

/* Makes the target of a device of this machine: its properties, and its GPU's published figures. The caller adds
 * measured ceilings. */
void explain_target_of_device(const struct device *device, struct explain_target *target);

/* Replaces a published ceiling by a measured one. */
void explain_target_measured(struct explain_target *target, enum explain_ceiling ceiling, double rate);
