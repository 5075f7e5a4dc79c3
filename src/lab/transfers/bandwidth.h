/* How fast data travels between host and device, both ways and both at once, and within the device. Each
 * figure is a measurement of the kernel "bandwidth"; its problem's text is "bandwidth:to-device,bytes=1048576,pinned"
 * ("from-device", "both"; "copy" and "read" have no memory), its rung the copy path. Every copied byte is compared,
 * before and after the timing. */
#pragma once

#include "backends/backend.h"
#include "store/measurement.h"

/* The smallest and the largest copy that is accepted. */
#define BANDWIDTH_BYTES_MIN ((int64_t)64)
#define BANDWIDTH_BYTES_MAX ((int64_t)1 << 36)

struct bandwidth_options {
    size_t from, to; /* bytes of the smallest and of the largest copy */
    unsigned factor; /* from one size to the next; at least 2 */
    double seconds;  /* on the clock for each figure; 3 to 50 samples whatever it is */
    /* Called between steps: what is going on and how much is done (0 … 1). May be NULL. */
    void (*progress)(void *context, const char *what, double fraction);
    void *progress_context;
    /* Called for each measurement of a size when that size is done; may set its `id` and `run`, nothing else. May be
     * NULL. */
    void (*finished)(void *context, struct measurement *measurement);
    void *finished_context;
};

/* 1 KiB to 1 GiB by fours. */
struct bandwidth_options bandwidth_defaults(void);

/* Four sizes up to 64 MiB (4 MiB where the device is a processor): done in less than three seconds. */
struct bandwidth_options bandwidth_brief(const struct device *device);

/* Measures every path at every size and adds the measurements to `list`; and beside each a ceiling (MEASURED_PROBE)
 * that is computed, not measured: the theoretical rate of the bus, or of the device's memory, where the device reports
 * it. A path that cannot be run there, or does not fit, is a measurement with verdict SKIP. STATUS_INTERRUPTED after
 * Ctrl-C, with what was measured until then. */
enum status lab_bandwidth(struct device *device, const struct bandwidth_options *options, struct measurement_list *list,
                          struct error *error);
