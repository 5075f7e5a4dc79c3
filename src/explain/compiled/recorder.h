/* Records a rung's programs and launches without a device: the rung's own prepare and enqueue run on a device that only
 * records. Reads return zeros. */
#pragma once

#include "explain/target.h"
#include "kernels/kernel.h"

#define RECORDED_NAME_MAX 64
#define RECORDED_ARGUMENTS_MAX 32

/* An argument as the device would have it: `bytes` of `value`. Of a buffer: an address that no other buffer has. */
struct recorded_argument {
    uint64_t value;
    unsigned bytes;       /* 4 or 8; more of a tile map, whose value is not known */
    uint64_t array_bytes; /* the buffer's; 0: it is none */
    enum argument_kind kind;
    size_t width, height; /* of a texture */
};

struct recorded_program {
    char *name, *text; /* malloc'ed */
    enum language language;
    char **defines; /* malloc'ed */
    size_t define_count;
};

/* One launch, or several of the same shape. */
struct recorded_launch {
    size_t program; /* in recording.programs */
    char entry[RECORDED_NAME_MAX];
    int rank;
    size_t group[3], groups[3];
    size_t local_bytes; /* dynamic */
    size_t count;
    bool is_fallback;                                           /* returns at once unless the data need it */
    struct recorded_argument arguments[RECORDED_ARGUMENTS_MAX]; /* the first one's */
    size_t argument_count;
};

struct recording {
    struct recorded_program *programs;
    size_t program_count;
    struct recorded_launch *launches;
    size_t launch_count;
    uint64_t array_addresses[KERNEL_ARRAYS_MAX]; /* of the problem's arrays */
    uint64_t scratch_address;
    size_t scratch_bytes;
    size_t read_count,
        written_count; /* times that the host waits for a buffer's bytes, and sends some, while it runs */
};

/* Prepares and enqueues the rung once, as if on the target. The caller frees the recording with recording_free; on
 * failure it is empty. STATUS_UNAVAILABLE, with the rung's own reason, when it refuses the target or the problem. */
enum status recording_make(const struct problem *problem, const struct rung *rung, const struct parameters *parameters,
                           const struct explain_target *target, struct recording *recording, struct error *error);
void recording_free(struct recording *recording);
