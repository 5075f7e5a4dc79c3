/* The resources for copies of one size: memory of each kind on the host, memory on the device, queues and marks; and
 * the ways to move data between them, each timed and verified by itself. */
#pragma once

#include "backends/backend.h"
#include "backends/staging.h"

/* Copies that are enqueued in one direction at most. */
#define CARRIER_BATCH_MAX 64

/* Reading leaves out what is left of the last line. */
#define CARRIER_READ_UNIT ((size_t)64)

struct copy_buffers {
    struct device *device;
    size_t bytes;
    unsigned char *plain[2];      /* pageable: what is sent (noise), and where things are received */
    struct host_memory pinned[2]; /* the same; data NULL where nothing can be pinned */
    struct buffer there[2];       /* on the device: where things are sent to, and what is fetched (the same noise) */
    struct staging *staging;      /* NULL with `pinned` */
    struct queue *queues[2];      /* NULL where there is one queue only */
    struct event *marks[2][CARRIER_BATCH_MAX + 1];
    struct program *reader;
    struct buffer seen; /* what the groups of the reader saw */
    uint64_t noise[2];  /* the exclusive or of all that is read, in words of 16 bytes */
    uint64_t host_seen[2];
};

/* Everything that this device can have; `why_not` (may be NULL) gets the reason why nothing is pinned. The caller
 * destroys it, on failure too. STATUS_UNAVAILABLE when memory is out, on either side. */
enum status copy_buffers_create(struct device *device, size_t bytes, struct copy_buffers *buffers,
                                struct error *why_not, struct error *error);
void copy_buffers_destroy(struct copy_buffers *buffers);

/* One way to move data. */
struct copy_path {
    const char *what;   /* "to-device", "from-device", "both", "copy", "read" */
    const char *memory; /* the host's side: "pageable", "pinned"; NULL: no host memory takes part */
    const char *rung;   /* by what means: "driver", "ring", "queue" */
    const char *idea;
    bool pins;     /* needs pinned memory (and queues) */
    bool smallest; /* of interest at the smallest size only: what a copy costs that carries next to nothing */
    double share;  /* bytes moved, counted in both directions, for each byte of the buffers's size */
    /* Nanoseconds of one of `batch` copies (1 … CARRIER_BATCH_MAX) that follow each other. */
    enum status (*sample)(struct copy_buffers *buffers, const struct copy_path *way, unsigned batch,
                          double *nanoseconds, struct error *error);
    /* Spoils what a copy would make; STATUS_FAILED when a copy since then did not make it all. */
    enum status (*spoil)(struct copy_buffers *buffers, const struct copy_path *way, struct error *error);
    enum status (*verify)(struct copy_buffers *buffers, const struct copy_path *way, struct error *error);
};

extern const struct copy_path ways[];
extern const size_t way_count;

/* ---- the ways' functions that are in files of their own ---- */

enum status copy_buffers_read(struct copy_buffers *buffers, const struct copy_path *way, unsigned batch,
                              double *nanoseconds, struct error *error);
enum status copy_buffers_read_spoil(struct copy_buffers *buffers, const struct copy_path *way, struct error *error);
enum status copy_buffers_read_verify(struct copy_buffers *buffers, const struct copy_path *way, struct error *error);
/* Builds the reader's program where the device runs programs. */
enum status copy_buffers_read_prepare(struct copy_buffers *buffers, struct error *error);
