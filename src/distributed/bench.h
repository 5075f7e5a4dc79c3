/* Verifies and times a ladder over devices: on one device, on two, four, … and on the whole group. Each rung is
 * verified like any other: every element, on two sets of inputs, before and after the timing, between canaries. */
#pragma once

#include "distributed/ladder.h"
#include "store/measurement.h"

struct device_bench {
    const char *const *rung_names; /* names of the ladder's rungs to run */
    size_t rung_name_count;        /* 0: all */
    bool weak;                     /* weak scaling: the problem grows with the devices (ladder->axis) */
    double seconds;                /* timed seconds per rung; at least 3 and at most 50 samples */
    void (*progress)(void *context, const char *what, double fraction); /* may be NULL */
    void *progress_context;
    /* Called for each measurement after its last sample; may set its `id` and `run`. May be NULL. */
    void (*finished)(void *context, struct measurement *measurement);
    void *finished_context;
};

/* Adds the measurements; their parameters begin with "devices=2". The first is the best rung on one device. The others
 * have two ceilings (MEASURED_PROBE) beside them, measured in the same rounds: "links", copy engines that move the
 * bytes that must cross the links, and "parts", the devices' own parts without any exchange.
 *
 * predicted = one device's time × the rung's share of the work + the time of "links"; the longer of both for rungs that
 * overlap them. Nothing is fitted to times on several devices but that of "links".
 *
 * Returns: STATUS_INVALID for a rung that is not in the ladder. */
enum status device_bench(const struct device_ladder *ladder, const struct problem *problem,
                         const struct device_group *group, const struct device_bench *how,
                         struct measurement_list *list, struct error *error);

/* Only verifies, on the whole group; the measurements have no samples. */
enum status device_check(const struct device_ladder *ladder, const struct problem *problem,
                         const struct device_group *group, struct measurement_list *list, struct error *error);

/* The rung of a group with one device: the best rung of the kernel's own ladder solves the whole problem. */
extern const struct device_rung one_device;

/* The ceiling's probe: copies the bytes that the busiest device must receive, between all pairs concurrently. */
extern const struct device_rung link_probe;

/* The other ceiling's probe: each device's own part, without any exchange. */
extern const struct device_rung parts_probe;
