/* The lab's results: plain data that the store keeps and the report reads.
 *
 * Times are nanoseconds. Every sample is kept; summaries are made from them when they are read. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/statistics.h"
#include "base/status.h"

enum verdict {
    VERDICT_PASS,  /* ran, and every element was right before and after the timing */
    VERDICT_FAIL,  /* ran, and was wrong */
    VERDICT_SKIP,  /* cannot run here; the reason says why */
    VERDICT_ERROR, /* did not run as it should: a launch failed, or the time is faster than the hardware can be */
};

/* A rung's own kind, and the probe that measures the ceiling beside it. */
enum measured_kind {
    MEASURED_HOST,
    MEASURED_DEVICE,
    MEASURED_VENDOR,
    MEASURED_PROBE,
};

/* compute: the rung alone, by the device's clock. whole: from host memory to host memory, by the host's clock, and
 * its three parts measured inside it. */
enum phase {
    PHASE_COMPUTE,
    PHASE_END_TO_END,
    PHASE_UPLOAD,
    PHASE_LAUNCH, /* the compute part of the whole: enqueue and wait, by the host's clock */
    PHASE_DOWNLOAD,
    PHASE_COUNT,
};

struct sample {
    double nanoseconds; /* of one run */
    uint32_t round;     /* samples of the same round were taken side by side */
};

struct samples {
    struct sample *items;
    size_t count, capacity;
};

struct measurement {
    char kernel[32];
    char problem[256]; /* canonical text */
    char rung[48];
    char idea[200];
    enum measured_kind kind;
    char parameters[128]; /* "TILE=32 ROWS=8" */
    char detail[96];      /* a detail that the rung reports: the kernel that a library chose, … */
    char device[32];      /* "cuda:0" */
    char device_name[256];
    char driver[128];
    bool device_is_cpu;
    unsigned threads;    /* of the cpu's rungs; 0 elsewhere */
    double core_latency; /* ns that a cache line takes between the cores of threads 0 and 1, the median during the
                            measurement; 0 for other devices, and where it is unknown */
    double core_latency_low, core_latency_high; /* … and the least and the greatest (store/cores.h) */
    char code_version[64];
    int64_t made_at; /* seconds since 1970, UTC */

    enum verdict verdict;
    char reason[512]; /* of FAIL, SKIP and ERROR */
    double worst_error;
    char worst_where[64];
    bool is_left_out;   /* skipped for its time alone (lab/protocols). The store does not keep it */
    char warnings[256]; /* empty, or what makes the figure doubtful */

    bool cold;          /* caches flushed before every run; else runs follow each other */
    unsigned batch;     /* runs that one sample is the mean of */
    double bytes;       /* least bytes moved by one run */
    double operations;  /* least arithmetic operations of one run */
    double work;        /* units of rate_unit done by one run, times 1e9: rate = work / ns */
    char rate_unit[16]; /* "GB/s" */
    char ceiling[48];   /* which probe is the ceiling: "copy" */
    double predicted;   /* ns, by a model (distributed/bench.h); 0: none. The store does not keep it */

    /* Where they were counted; else 0. */
    unsigned throttled;          /* samples left out, as heat slowed the device down meanwhile */
    double clock_mhz;            /* mean */
    double joules;               /* of one run */
    double cycles, instructions; /* … of all threads in user mode */

    struct samples phases[PHASE_COUNT];

    /* Its numbers in the store it was read from or written to, and its place in the run, from 1; else 0. */
    int64_t id, run, number;
};

struct measurement_list {
    struct measurement *items;
    size_t count, capacity;
};

const char *verdict_name(enum verdict verdict);
const char *phase_name(enum phase phase);
const char *measured_kind_name(enum measured_kind kind);

/* The reverse; false, and the value untouched, when the name is none of them. */
bool verdict_from_name(const char *name, enum verdict *verdict);
bool phase_from_name(const char *name, enum phase *phase);
bool measured_kind_from_name(const char *name, enum measured_kind *kind);

/* False when memory is out. */
bool samples_add(struct samples *samples, double nanoseconds, uint32_t round);

/* A zeroed measurement at the end of the list, owned by it; valid until the next add; NULL when memory is out. */
struct measurement *measurement_list_add(struct measurement_list *list);
/* Frees its samples. */
void measurement_free(struct measurement *measurement);
void measurement_list_free(struct measurement_list *list);

/* The summary of one phase; all zero when it has no samples. */
struct summary measurement_summary(const struct measurement *measurement, enum phase phase);

/* The ceiling's measurement for this one: same problem, device and cache state, and the same run where both came from a
 * store; the one that it names (`ceiling`), or the slowest where it names none; NULL when there is none, or when it was
 * measured at another time, with the cores elsewhere (cores_alike). Of one name the probe of its rounds
 * (measurement_is_closer). */
const struct measurement *measurement_ceiling(const struct measurement_list *list, const struct measurement *of);

/* Whether a probe that passed may be a ceiling of `of`: of the same problem, device and cache state, and
 * called `name`, unless that is empty. Of several the slowest is the ceiling, if its cores were where those of `of`
 * were (cores_alike). The caller compares the runs. */
bool measurement_may_limit(const struct measurement *probe, const struct measurement *of, const char *name);

/* Whether `other` was timed in the rounds of `of`, rather than `probe` of the same name: one run may time a problem
 * twice, as the lab does with a ladder and a sweep of one of its rungs. A rung's probe is the last before it. All three
 * are of one list. */
bool measurement_is_closer(const struct measurement *other, const struct measurement *probe,
                           const struct measurement *of);

/* How many times faster `a` is than `b`, for every share and speed-up there is: the ratio of their medians, so that it
 * agrees with the times beside it. 0 when either has no samples, and where noise voids it (store/noise.h).
 */
double measurement_ratio(const struct measurement *a, const struct measurement *b);
