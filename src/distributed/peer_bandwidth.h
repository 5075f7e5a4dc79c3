/* The transfer rates between devices of one host by every means (distributed/peer_exchange.h): every pair one way and
 * both ways, all devices concurrently, and the latency of a small copy. Each figure is a measurement of the kernel
 * "peers"; its rung is the means. Its problem's text is "peers:one-way,from=cuda:0,to=cuda:1,bytes=268435456" ("both",
 * "latency"), or "peers:all,devices=4,bytes=…", whose rate is that of one receiving device. Every byte is compared
 * before and after the timing. */
#pragma once

#include "distributed/group.h"
#include "store/measurement.h"

#define PEER_KERNEL "peers"

struct peer_options {
    size_t bytes;   /* bytes of one copy */
    double seconds; /* timed seconds per figure; at least 3 and at most 50 samples */
    void (*progress)(void *context, const char *what, double fraction); /* may be NULL */
    void *progress_context;
    /* Called for each measurement after its last sample; may set its `id` and `run`. May be NULL. */
    void (*finished)(void *context, struct measurement *measurement);
    void *finished_context;
};

/* The defaults: 256 MiB, 0.05 s. */
struct peer_options peer_defaults(void);

/* Adds the measurements to `list`, each with a computed ceiling (MEASURED_PROBE) where the link's rate is known.
 * STATUS_UNAVAILABLE for a group of fewer than two devices. */
enum status peer_bandwidth(const struct device_group *group, const struct peer_options *options,
                           struct measurement_list *list, struct error *error);
