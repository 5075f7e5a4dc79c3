/* Ceilings: what a device can do at most, measured with the same probes and the same clock as everything else, all of a
 * device's probes interleaved in rounds. docs/ceilings.md says what each counts. */
#ifndef USKOR_LAB_CEILINGS_CEILING_H
#define USKOR_LAB_CEILINGS_CEILING_H

#include "backends/backend.h"
#include "kernels/kernel.h"
#include "store/ceiling.h"

struct ceiling_options {
    double seconds;          /* on the clock, for each ceiling */
    bool every_thread_count; /* of the cpu: 1, 2, 4 … all; else 1 and all */
    void (*progress)(void *context, const char *what, double fraction); /* may be NULL */
    void *progress_context;
    /* Called with each measurement when it is complete, as in struct bench_options. May be NULL. */
    void (*finished)(void *context, struct measurement *measurement);
    void *finished_context;
};

/* Adds a measurement for every ceiling of the device to the list: those that it does not have are SKIPs with their
 * reasons. OpenMP's number of threads is as before when it returns. STATUS_INTERRUPTED after Ctrl-C, with what was
 * complete by then in the list. */
enum status lab_ceilings(struct device *device, const struct ceiling_options *options, struct measurement_list *list,
                         struct error *error);

/* ---- the plan: which probe measures what ---- */

/* One ceiling of one device and number of threads. */
struct ceiling_plan {
    enum ceiling_kind kind;
    const struct rung *rung;
    struct problem problem; /* of ceiling_kernel: what a run of the probe moves and does */
    unsigned threads;       /* 0 on devices that are no cpu */
    char refusal[160];      /* why the device has no such ceiling; else empty */
};

/* Fills in every kind; `threads` is 0 on devices that are not the cpu. */
void ceiling_plan(const struct device *device, unsigned threads, struct ceiling_plan plans[CEILING_KINDS]);

/* The probes' kernel: no arrays, and a cost that its fields spell out. It is on no list: nobody can bench it. */
extern const struct kernel ceiling_kernel;

/* The text of its problem. */
struct ceiling_work {
    double bytes; /* of each array or working set */
    int reads, writes;
    double times; /* how often they are walked; of the clock, how many additions */
    double operations;
};
struct problem ceiling_problem(enum ceiling_kind kind, const struct ceiling_work *done, unsigned threads,
                               enum element_type type);

/* ---- probes that ceilings do not need ---- */

/* A working set read over and over: l1-read, l2-read and l3-read. */
extern const struct rung ceiling_cache;
/* Every group's local memory, likewise. */
extern const struct rung ceiling_local;
/* The cpu's clock. */
extern const struct rung ceiling_clock;

#endif
