/* Moving data: what the kernels "bandwidth", "overlap" and "memory" measured, as lines and timelines. */
#pragma once

#include "report/model/sizes.h"

/* Rates over bytes of every way of one device ("to-device pinned queue"), the bus's theory as ceiling. As sizes_make;
 * free with sizes_free. */
enum status sizes_of_copy_paths(const struct kernel_view *kernel, const struct ladder *device, struct sizes *sizes,
                                struct error *error);

#define TIMELINE_PARTS_MAX 1024

/* When the phases of one part began and ended, in ns. */
struct timeline_bars {
    unsigned queue;
    double spans[3][2]; /* copy in, compute, copy out */
};

/* The content of an attachment "timeline" (lab/transfers/overlap.h has its form). */
struct timeline_view {
    const struct entry *entry;
    unsigned queues;
    bool by_phase; /* a queue for the copies in, one for the computing, one for the copies out */
    struct timeline_bars *parts;
    size_t count;
    double end; /* ns */
};

/* Reads the attachment's text; false when it is not a timeline or memory is out. Free with timeline_view_free. */
bool timeline_read(const char *text, struct timeline_view *timeline);
void timeline_view_free(struct timeline_view *timeline);
