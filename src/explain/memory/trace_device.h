/* The trace device: a backend that runs kernels as C++ on the host and records their memory accesses. Rungs are
 * prepared and enqueued on it as on any device. */
#pragma once

#include "backends/backend.h"
#include "explain/memory/access_trace.h"
#include "explain/memory/buffers.h"
#include "explain/memory/races.h"
#include "explain/memory/silent.h"
#include "explain/memory/tally.h"
#include "explain/memory/traced_program.h"

enum trace_mode {
    TRACE_COUNT, /* launches are counted, not run */
    TRACE_RUN,
};

/* The bounds of a trace. Launches beyond them are sampled. */
struct trace_budget {
    uint64_t accesses;     /* recorded lane accesses, in all launches */
    uint64_t silent_items; /* items run without recording, so that later launches read correct data */
};

/* The device's properties that the rungs' headers may query. */
struct trace_setting {
    const char *capability; /* "9.0" */
    uint64_t local_bytes_per_group;
    uint32_t group_items;
    enum explain_order order;
    struct trace_budget budget;
};

struct trace_totals {
    uint64_t launches, groups, items; /* in all */
    uint64_t groups_recorded;
    bool data_decides; /* the accesses of some kernel function depend on data */
    bool saw_all_data; /* every launch read the complete results of those before it */
    bool barrier_missed;
    char barrier_entry[KERNEL_NAME_MAX]; /* the kernel function where some items of a group miss a barrier */
};

struct trace_device {
    struct device base;
    struct trace_arena arena;
    enum explain_order order;
    struct trace_budget budget;
    enum trace_mode mode;
    struct tally *tally; /* the caller's */
    struct races *races; /* the caller's */
    struct trace_totals totals;
    uint64_t launches_run;
    struct silent_crew *crew;        /* of the program that was launched last; NULL: none */
    struct group_runner stacks;      /* of the group shape that was launched last */
    struct traced_program *programs; /* every program ever built: rows of the tally refer to them */
};

enum status trace_device_open(const struct trace_setting *setting, struct tally *tally, struct races *races,
                              struct trace_device **device, struct error *error);
/* Closes the device and frees its programs. Its buffers must have been released. May be NULL. */
void trace_device_close(struct trace_device *device);

static inline struct trace_arena *trace_arena_of(struct device *base)
{
    return &((struct trace_device *)base)->arena;
}

/* The backend's launch. */
enum status trace_launch(struct program *program, const struct launch *launch, struct error *error);
