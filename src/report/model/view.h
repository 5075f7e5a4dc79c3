/* Measurements in the groups a report shows: kernels, and in them ladders (one problem on one device), each figure
 * worked out once. */
#pragma once

#include "store/measurement.h"

struct entry {
    const struct measurement *measurement;
    struct summary time;       /* of the compute phase, ns; of the whole where nothing else was timed */
    struct summary end_to_end; /* host memory to host memory; on the CPU, where nothing is moved, the same as `time` */
    double rate;               /* in rate_unit, of the median; 0 when it did not pass, or noise voids it */
    bool is_void; /* it passed, and noise voids the figure (store/noise.h): never the fastest of anything */
    bool share_is_void, speed_up_is_void; /* … or these alone */
    double rate_low, rate_high;           /* of the quartiles */
    double of_ceiling;                    /* fraction; 0 without a ceiling */
    const struct entry *ceiling;          /* that it refers to, which is not the same for every rung; may be NULL */
    double speed_up;                      /* over the base, by the medians; 0 without a base */
    const struct entry *base; /* that speed-ups refer to: the CPU's first rung, or the first on this device */
};

/* All that was measured of one problem on one device, with one state of the caches and one number of threads. */
struct ladder {
    const struct entry *entries; /* all of them: ceilings, sweeps, older runs */
    size_t entry_count;
    const struct entry **rungs; /* one for each rung, in ladder order; verdicts of every kind, no ceilings */
    size_t rung_count, passed;
    const struct entry *ceiling; /* the fastest rung's; these five may be NULL */
    const struct entry *base;    /* the first of the CPU's ladder of this problem, else of this one */
    const struct entry *fastest; /* of all rungs */
    const struct entry *own;     /* the fastest that is not a vendor's */
    const struct entry *vendor;  /* the fastest of a vendor's */
};

struct kernel_view {
    const char *name;
    const struct ladder *ladders; /* by device, then problem */
    size_t ladder_count;
};

struct view {
    struct entry *entries;
    size_t entry_count;
    struct ladder *ladders;
    size_t ladder_count;
    struct kernel_view *kernels;
    size_t kernel_count;
    const struct entry **rungs; /* the ladders' */
};

/* The list must live as long as the view. STATUS_UNAVAILABLE: no memory. */
enum status view_make(const struct measurement_list *list, struct view *view, struct error *error);
void view_free(struct view *view);

/* The ladder's representative measurement: its kernel, problem and device. */
const struct measurement *ladder_of(const struct ladder *ladder);

/* Are both of the same device, name and threads included? */
bool ladder_same_device(const struct ladder *a, const struct ladder *b);

/* The kernel's ladder that represents a device: of the largest problem with at least three quarters of the rungs of
 * that with most, over all devices; else of the device's own such problem. `any` is some ladder of the device. */
const struct ladder *kernel_representative(const struct kernel_view *kernel, const struct ladder *any);

#define LADDER_CEILINGS_MAX 4

/* The ceilings that the ladder's rungs are compared with, each once, the fastest rung's first; returns how many. */
size_t ladder_ceilings(const struct ladder *ladder, const struct entry *ceilings[LADDER_CEILINGS_MAX]);

/* OpenCL on a CPU shows that rungs are right; its times say nothing about a GPU. */
bool ladder_rehearses(const struct ladder *ladder);

/* Is this the kernel's first ladder of its device? */
bool ladder_is_first_of_device(const struct kernel_view *kernel, const struct ladder *ladder);

/* A speed-up with its error as the publications add it: (s_first t + t_first s) / t², from means and deviations. */
struct speed_up {
    double value, error; /* 0 when there is none */
};
struct speed_up speed_up_of(const struct summary *first, const struct summary *rung);
