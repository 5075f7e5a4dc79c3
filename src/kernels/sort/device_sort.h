/* Shared by the host halves of the device rungs. */
#pragma once

#include "base/size.h"
#include "kernels/rung_header.h"
#include "kernels/sort/sort.h"

#define ORDER_ARGUMENTS 3

/* Writes `negative`, `always` and `below` as the KEYs that the programs take. */
void order_arguments(const struct run *run, struct argument_value arguments[ORDER_ARGUMENTS]);

/* `most`, a KEY: the key of all NaNs, where there are any, or the greatest key. */
struct argument_value order_most(const struct run *run);

static inline struct argument_value argument_buffer(const struct buffer *buffer)
{
    return (struct argument_value){.kind = ARGUMENT_BUFFER, .buffer = buffer};
}

static inline struct argument_value argument_long(size_t value)
{
    return (struct argument_value){.kind = ARGUMENT_LONG, .long_value = (int64_t)value};
}

static inline struct argument_value argument_int(size_t value)
{
    return (struct argument_value){.kind = ARGUMENT_INT, .int_value = (int32_t)value};
}

/* Where the unsorted elements are. */
static inline const struct buffer *sort_source(const struct run *run)
{
    return run->origin ? run->origin : &run->buffers[0];
}

/* Fewer than two elements: they are sorted, but may be elsewhere. */
enum status sort_nothing(const struct run *run, struct error *error);

/* One launch of the run's program: `items` items in whole groups of the header's size.
 * `follows`: after another launch of the run (struct launch). */
enum status sort_launch(struct run *run, const char *entry, bool follows, size_t items,
                        const struct argument_value *arguments, size_t argument_count, struct error *error);

/* The network needs a power of two that is not below `least`; its length for this many elements. */
size_t network_length(size_t count, size_t least);

/* rung->load of the network's rungs and of those by digits. */
double network_load(const struct problem *problem, const struct parameters *parameters, int threads);
double digits_load(const struct problem *problem, const struct parameters *parameters, int threads);
