/* Ceilings: a device's peak rates. They are measured with the same probes and the same clock as everything else; all of
 * a device's probes run interleaved in rounds. docs/ceilings.md says how each one counts. */
#pragma once

#include "backends/backend.h"
#include "kernels/kernel.h"
#include "store/ceiling.h"

struct ceiling_options {
    double seconds;          /* timed seconds per ceiling */
    bool every_thread_count; /* thread counts of the CPU: 1, 2, 4 … all; else 1 and all */
    void (*progress)(void *context, const char *what, double fraction); /* may be NULL */
    void *progress_context;
    /* Called with each complete measurement, as in struct bench_options. May be NULL. */
    void (*finished)(void *context, struct measurement *measurement);
    void *finished_context;
};

/* Adds a measurement for every ceiling of the device to the list. A ceiling that the device does not have is a SKIP
 * with its reason. OpenMP's number of threads is restored.
 *
 * Returns: STATUS_INTERRUPTED after Ctrl-C; the list then has the complete measurements. */
enum status lab_ceilings(struct device *device, const struct ceiling_options *options, struct measurement_list *list,
                         struct error *error);

/* ---- the plan: the probe and the problem of each ceiling ---- */

/* One ceiling of one device and number of threads. */
struct ceiling_plan {
    enum ceiling_kind kind;
    const struct rung *rung;
    struct problem problem; /* of ceiling_kernel: bytes and operations of one run */
    unsigned threads;       /* 0 except on the CPU */
    char refusal[160];      /* why the device has no such ceiling; otherwise empty */
};

/* Fills in every kind. `threads` is 0 except on the CPU. */
void ceiling_plan(const struct device *device, unsigned threads, struct ceiling_plan plans[CEILING_KINDS]);

/* The probes' kernel. It has no arrays; its cost is given by its fields. It is not in the list of kernels, so nobody
 * can bench it. */
extern const struct kernel ceiling_kernel;

/* The work of one run of a probe. */
struct ceiling_work {
    double bytes; /* of each array, or of the working set */
    int reads, writes;
    double times; /* passes over them; for the clock and for issue, the number of instructions */
    double operations;
};
struct problem ceiling_problem(enum ceiling_kind kind, const struct ceiling_work *done, unsigned threads,
                               enum element_type type);

/* ---- probes that only `uskor ceilings` uses ---- */

/* Reads a working set repeatedly: l1-read, l2-read and l3-read. */
extern const struct rung ceiling_cache;
/* Reads every group's local memory repeatedly. */
extern const struct rung ceiling_local;
/* Measures the CPU's clock frequency by dependent additions. */
extern const struct rung ceiling_clock;
/* Measures how many instructions a second each thread issues. */
extern const struct rung ceiling_issue;
