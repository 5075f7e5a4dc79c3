/* Verifies and times a ladder over devices: on one device, on two, four, … and on the whole group. Each rung is judged
 * like any other rung: every element, on two sets of inputs, before and after the timing, between canaries. */
#ifndef USKOR_DISTRIBUTED_BENCH_H
#define USKOR_DISTRIBUTED_BENCH_H

#include "distributed/ladder.h"
#include "store/measurement.h"

struct device_bench {
    const char *const *rung_names; /* of the ladder; the others are left out */
    size_t rung_name_count;        /* 0: all */
    bool weak;                     /* the problem grows with the devices (ladder->grow) */
    double seconds;                /* on the clock for each rung; 3 to 50 samples whatever it is */
    void (*progress)(void *context, const char *what, double fraction); /* may be NULL */
    void *progress_context;
    /* Called for each measurement when it has its last sample; may set its `id` and `run`. May be NULL. */
    void (*finished)(void *context, struct measurement *measurement);
    void *finished_context;
};

/* Adds the measurements: their parameters begin with "devices=2". The first is that of one device, by the rung that
 * serves it best; beside the others stands the ceiling "links" (MEASURED_PROBE): as many bytes as must cross the links,
 * copied in the same rounds by copy engines. STATUS_INVALID for a rung that the ladder has not. */
enum status device_bench(const struct device_ladder *ladder, const struct problem *problem,
                         const struct device_group *group, const struct device_bench *how,
                         struct measurement_list *list, struct error *error);

/* Verifies only, on the whole group: measurements without samples. */
enum status device_check(const struct device_ladder *ladder, const struct problem *problem,
                         const struct device_group *group, struct measurement_list *list, struct error *error);

/* The rung that solves a whole problem on a group of one device: the best of the kernel's own ladder. */
extern const struct device_rung one_device;

/* Copies, between all pairs at once, the bytes that the busiest device must receive. */
extern const struct device_rung link_probe;

#endif
