/* The processors' properties: NVIDIA's architectures by compute capability, its GPUs, and the arithmetic of
 * CPUs, from their vendors' publications. Every figure has its source, and says whether that was read; a figure
 * without a source is unknown. The data are in the .def files beside this one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* A publication, by its title. */
struct source {
    const char *key; /* "guide-13" */
    const char *title;
    const char *note; /* "read in a copy", "not at hand": what of it was read, and where else its figures were found */
};

#define SOURCE(name, key, title, note) SOURCE_##name,
enum source_id {
    SOURCE_NONE,
#include "architectures/sources.def"
    SOURCE_COUNT,
};
#undef SOURCE

/* Of SOURCE_NONE: an empty one. */
const struct source *source_of(enum source_id id);

/* How far a figure was checked. */
enum figure_check {
    FIGURE_READ,      /* in its source, or in a copy of it */
    FIGURE_ELSEWHERE, /* the source was not read; another publication has the same figure */
    FIGURE_UNCHECKED, /* neither */
    FIGURE_CHECKS,
};

/* A number and where it is published. SOURCE_NONE: unknown. */
struct figure {
    double value;
    enum source_id source;
    enum figure_check check;
};

static inline bool figure_is_known(struct figure figure)
{
    return figure.source != SOURCE_NONE;
}

struct check_words {
    const char *key;     /* for programs: "source" */
    const char *mark;    /* after the figure: "", "~", "?" */
    const char *meaning; /* of the mark */
};

extern const struct check_words figure_checks[FIGURE_CHECKS];

/* The mark after a figure in every table; empty for an unknown figure. */
const char *figure_mark(struct figure figure);

/* ---- compute capabilities: of one multiprocessor ---- */

enum capability_column {
    CAPABILITY_CORES,          /* multiply-adds of floats in a cycle */
    CAPABILITY_FP64,           /* … of doubles, on the cards that have the most */
    CAPABILITY_LOAD_STORE,     /* units */
    CAPABILITY_SPECIAL,        /* units for sine, logarithm and the like */
    CAPABILITY_TENSOR,         /* tensor cores */
    CAPABILITY_SCHEDULERS,     /* warp schedulers */
    CAPABILITY_LOCAL,          /* local memory, KiB */
    CAPABILITY_LOCAL_GROUP,    /* … that one group may have, KiB */
    CAPABILITY_CACHE,          /* first data cache, KiB; it includes local memory in 2.x, 3.x and from 7.0 on */
    CAPABILITY_REGISTERS,      /* of 32 bits, thousands of 1024 */
    CAPABILITY_GROUPS,         /* resident at once */
    CAPABILITY_WARPS,          /* … of 32 items */
    CAPABILITY_ITEMS,          /* … */
    CAPABILITY_GROUP_ITEMS,    /* most items in a group */
    CAPABILITY_ITEM_REGISTERS, /* most registers of an item */
    CAPABILITY_GRID,           /* most groups along the first dimension of a grid, millions */
    CAPABILITY_GRIDS,          /* kernels that run at once: hardware queues */
    CAPABILITY_COLUMNS,
};

struct column {
    const char *key;   /* for programs: "cores" */
    const char *title; /* for a table's head: at most 8 characters */
    const char *meaning;
};

extern const struct column capability_columns[CAPABILITY_COLUMNS];

struct capability {
    const char *version;      /* "9.0" */
    const char *architecture; /* "Hopper" */
    const char *examples;     /* products */
    struct figure figures[CAPABILITY_COLUMNS];
};

extern const struct capability capabilities[];
extern const size_t capability_count;

/* "9.0"; NULL when it is not in the table. */
const struct capability *capability_by_version(const char *version);

/* ---- GPUs ---- */

enum gpu_column {
    GPU_UNITS,       /* multiprocessors */
    GPU_CLOCK,       /* MHz: of the units, at its published highest */
    GPU_FP32,        /* GFLOP/s */
    GPU_FP64,        /* GFLOP/s, without tensor cores */
    GPU_TENSOR,      /* GFLOP/s: dense products of bfloat16 on tensor cores, summed in float */
    GPU_BANDWIDTH,   /* of its memory, GB/s */
    GPU_BUS,         /* bits */
    GPU_MEMORY,      /* GB */
    GPU_L2,          /* KiB */
    GPU_WATTS,       /* power limit of the board */
    GPU_TRANSISTORS, /* thousand millions */
    GPU_BALANCE,     /* operations for each byte, as published */
    GPU_COLUMNS,
};

extern const struct column gpu_columns[GPU_COLUMNS];

struct gpu {
    const char *name;
    const char *version; /* compute capability */
    struct figure figures[GPU_COLUMNS];
};

extern const struct gpu gpus[];
extern const size_t gpu_count;

/* FP32 operations for each byte of memory traffic, from the two figures; 0 when one is unknown. */
double gpu_balance(const struct gpu *gpu);

/* GFLOP/s of doubles for each watt, from the two figures; 0 when one is unknown. */
double gpu_doubles_per_watt(const struct gpu *gpu);

/* Memory partitions that addresses tell, in blocks of 256 bytes: one for each 64 bits of the bus in 1.x (Ruetsch and
 * Micikevicius, "Optimizing Matrix Transpose in CUDA", 2009). 0: unknown, or a later GPU; how these divide addresses is
 * not published. */
unsigned gpu_partitions(const struct gpu *gpu);

/* The GPU of a device whose name, as its driver has it, ends in the name here, or goes on with a "-": "NVIDIA H200".
 * The longest such name; NULL when there is none. */
const struct gpu *gpu_by_device_name(const char *name);

/* ---- CPUs: of one core ---- */

enum cpu_column {
    CPU_FLOATS_AVX2,   /* operations on floats in a cycle, two for a multiply-add */
    CPU_FLOATS_AVX512, /* … */
    CPU_READ_BYTES,    /* most bytes read from the first cache in a cycle */
    CPU_COLUMNS,
};

struct cpu_family {
    const char *vendor; /* as cpuid has it */
    int family, model_from, model_to;
    const char *name;
    struct figure figures[CPU_COLUMNS];
};

extern const struct column cpu_columns[CPU_COLUMNS];
extern const struct cpu_family cpu_families[];
extern const size_t cpu_family_count;

/* NULL when it is not in the table. */
const struct cpu_family *cpu_family_find(const char *vendor, int family, int model);
