/* Verify and time rungs that are compared: interleaved in rounds, beside the ceiling's probe, until each figure is
 * narrow or its time is spent. Every sample is kept. */
#ifndef USKOR_LAB_BENCH_BENCH_H
#define USKOR_LAB_BENCH_BENCH_H

#include "lab/bench/candidate.h"
#include "store/measurement.h"

struct bench_options {
    double seconds;   /* on the clock, per rung */
    double precision; /* stop earlier when the median's 95 % interval is within ± this fraction of it */
    bool cold;
    bool end_to_end;     /* also time host memory to host memory, on devices with memory of their own */
    bool probe_ceilings; /* probe the ceiling beside the rungs */
    const struct measurement_list *ceilings; /* kept ones (lab/ceilings/stored_ceiling.h): where one stands for a
                                                ceiling, that is not probed in the rounds; NULL: every ceiling is */
    unsigned repeat; /* 0, or a publication's protocol: exactly so many end-to-end times, and no ceiling */
    /* Called between steps: what is going on and how much of this problem is done (0 … 1). May be NULL. */
    void (*progress)(void *context, const char *what, double fraction);
    void *progress_context;
    /* Called whenever a measurement of the list has got its verdict and its last sample. Rungs that are timed side by
     * side have theirs together, so each is handed over before that too, provisionally, as it stands: every two seconds
     * and when its samples are complete (with a warning that says so); and then again, for the same measurement, in the
     * end. A measurement that an interruption left untimed is not finished. May be NULL; may change the measurement's
     * `id` and `run`, nothing else. */
    void (*finished)(void *context, struct measurement *measurement);
    void *finished_context;
};

struct bench_options bench_defaults(void);

/* Benches the candidates on one problem, adding a measurement for each (and for each device's ceiling) to `list`. A
 * rung that cannot run or is wrong is a measurement too. STATUS_OK unless the bench itself could not be held (no host
 * memory, a comparator that fails its self-test); STATUS_INTERRUPTED after Ctrl-C, with what was measured until then in
 * the list. */
enum status lab_bench(const struct problem *problem, const struct candidate *candidates, size_t count,
                      const struct bench_options *options, struct measurement_list *list, struct error *error);

#endif
