/* Two sets of measurements against each other: what became faster, what slower, and what cannot be told.
 *
 * A pair is one rung on one problem and device, cold or hot, with the same parameters (or the only ones on each side).
 * Its times are compared by the exact rank test of Wilcoxon, Mann and Whitney, two-sided; Holm's method keeps the
 * level for all pairs together. Samples of one round give one value, their median, as neighbouring samples are
 * alike; of many rounds, neighbours are joined until at most 25 values are left. Where both sides have eight runs or
 * more, a run is one value. A rung is called faster or slower only when, in addition, the whole interval of its change
 * lies beyond the least change that counts, and beyond what the machine's own probes moved in the same rounds; and
 * only when the cores of two threads were as far apart on both sides, and stayed so (store/cores.h). */
#pragma once

#include "store/measurement.h"

enum outcome {
    OUTCOME_UNCLEAR,
    OUTCOME_FASTER, /* B takes less time */
    OUTCOME_SLOWER,
    OUTCOME_BROKEN,  /* right in A, wrong in B */
    OUTCOME_MENDED,  /* the reverse */
    OUTCOME_WITHOUT, /* wrong or not run on either side, or only on one */
};

struct compared {
    const struct measurement *a, *b; /* the newest on each side; NULL where a side has none. Owned by the lists */
    enum outcome outcome;
    char why[128];    /* of what is unclear or without */
    enum phase phase; /* whose times are compared */

    /* Of pairs that were tested (units_a > 0): */
    double time_a, time_b;            /* medians of the values, ns */
    double ratio, low, high;          /* B's time over A's: Hodges and Lehmann's estimate and its interval */
    double p;                         /* after Holm */
    size_t units_a, units_b;          /* values */
    bool units_are_runs;              /* else rounds */
    bool is_void;                     /* noise voids the median of a side (store/noise.h): nothing is concluded */
    double machine_low, machine_high; /* how far the probes' times moved; both 1 without probes */
    double cores_a, cores_b;          /* ns between the first two threads' cores; 0 where that is not known */
};

struct run_comparison {
    struct compared *items; /* in A's order, then what only B has */
    size_t count;
    size_t tests; /* pairs tested together */
};

struct comparison_options {
    enum phase phase; /* PHASE_COMPUTE: where that was not timed, the first that was timed on both sides */
    double alpha;     /* level of the whole family, and of each interval */
    double least;     /* a smaller change does not count: 0.01 for 1 % */
    bool any_cores;   /* wherever the cores were */
};

struct comparison_options comparison_defaults(void);

/* Compares; the lists must outlive the comparison, which the caller frees with comparison_free. */
enum status comparison_make(const struct measurement_list *a, const struct measurement_list *b,
                            const struct comparison_options *options, struct run_comparison *comparison,
                            struct error *error);
void comparison_free(struct run_comparison *comparison);

/* "faster", "slower", "cannot tell", … */
const char *outcome_name(enum outcome outcome);
