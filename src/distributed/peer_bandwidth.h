/* How fast devices of one host exchange data (row X4): every pair one way and both ways, all of them at once, and the
 * latency of a small copy, by every means (distributed/peer_exchange.h). Each figure is a measurement of the kernel
 * "peers"; its problem's text is "peers:one-way,from=cuda:0,to=cuda:1,bytes=268435456" ("both", "latency";
 * "peers:all,devices=4,bytes=…", where the rate is what one device receives), its rung the means. Every byte is
 * compared, before and after the timing. */
#ifndef USKOR_DISTRIBUTED_PEER_BANDWIDTH_H
#define USKOR_DISTRIBUTED_PEER_BANDWIDTH_H

#include "distributed/group.h"
#include "store/measurement.h"

#define PEER_KERNEL "peers"

struct peer_options {
    size_t bytes;   /* of one copy */
    double seconds; /* on the clock for each figure; 3 to 50 samples whatever it is */
    void (*progress)(void *context, const char *what, double fraction); /* may be NULL */
    void *progress_context;
    /* Called for each measurement when it has its last sample; may set its `id` and `run`. May be NULL. */
    void (*finished)(void *context, struct measurement *measurement);
    void *finished_context;
};

/* 256 MiB, a twentieth of a second. */
struct peer_options peer_defaults(void);

/* Adds the measurements to `list`, and beside each a computed ceiling (MEASURED_PROBE) where the link is known.
 * STATUS_UNAVAILABLE for a group of fewer than two devices. */
enum status peer_bandwidth(const struct device_group *group, const struct peer_options *options,
                           struct measurement_list *list, struct error *error);

#endif
