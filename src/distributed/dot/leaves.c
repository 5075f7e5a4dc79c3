#include <stdio.h>
#include <stdlib.h>

#include "base/embedded.h"
#include "base/size.h"
#include "distributed/dot/dot.h"

#define GROUP 256

struct state {
    struct leaves leaves;
    enum leaves_way way;
    struct carrier carrier;
    struct program *programs[GROUP_MAX];
    int64_t sums[GROUP_MAX]; /* address of each device's sums */
};

size_t leaves_scratch(const struct problem *problem, size_t index, size_t count)
{
    (void)index, (void)count;
    return (leaves_of(problem).count + 1) * sizeof(double);
}

/* The sums lie in device 0's memory or in each device's own, at the same offset. */
static enum status find_places(struct device_run *run, struct error *error)
{
    struct state *state = run->state;
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < run->group->count; i++) {
        size_t owner = state->way == LEAVES_BY_STORES ? 0 : i;
        status = group_address(run->group, owner, &run->scratch[owner], &state->sums[i], error);
        state->sums[i] += (int64_t)(leaves_begin(state->leaves, run->group->count, i) * sizeof(double));
    }
    return status;
}

enum status leaves_prepare(struct device_run *run, enum leaves_way way, struct error *error)
{
    struct state *state = run->state = calloc(1, sizeof *state);
    if (!state)
        return fail(error, STATUS_UNAVAILABLE, "no memory");
    size_t bytes = element_info(run->problem->type)->bytes;
    const char *defines[] = {bytes == 4 ? "ELEMENT=float" : "ELEMENT=double",
                             bytes == 4 ? "ELEMENT_BYTES=4" : "ELEMENT_BYTES=8", "GROUP=256", "UNROLL=4"};
    const struct embedded_file *file = embedded_find("distributed/dot/leaves.cl");
    const struct program_source source = {file->path, file->text, LANGUAGE_OPENCL_C, defines, COUNT_OF(defines)};
    state->leaves = leaves_of(run->problem);
    state->way = way;
    static const enum carrier_kind kinds[] = {CARRIER_HOST, CARRIER_PEERS, CARRIER_PEERS, CARRIER_NCCL};
    enum status status = carrier_create(&state->carrier, kinds[way], run, error);
    for (size_t i = 0; status == STATUS_OK && i < run->group->count; i++)
        status = program_build(run->group->devices[i], &source, &state->programs[i], error);
    size_t additions = state->leaves.leaf / GROUP + LEAVES_MOST / GROUP + (size_t)2 * GROUP;
    run->bound = (double)additions / 9007199254740992.0; /* counted as in kernels/dot/wide.cl */
    return status == STATUS_OK ? find_places(run, error) : status;
}

void leaves_finish(struct device_run *run)
{
    struct state *state = run->state;
    for (size_t i = 0; state && i < GROUP_MAX; i++)
        program_discard(state->programs[i]);
    if (state)
        carrier_destroy(&state->carrier);
    free(state);
    run->state = NULL;
}

static enum status add_leaves(struct device_run *run, size_t index, struct error *error)
{
    struct state *state = run->state;
    size_t count = run->group->count;
    size_t leaves = leaves_begin(state->leaves, count, index + 1) - leaves_begin(state->leaves, count, index);
    const struct argument_value arguments[] = {
        {ARGUMENT_BUFFER, {.buffer = &run->buffers[index][0]}},
        {ARGUMENT_BUFFER, {.buffer = &run->buffers[index][1]}},
        {ARGUMENT_LONG, {.long_value = state->sums[index]}},
        {ARGUMENT_LONG,
         {.long_value = (int64_t)(run->buffers[index][0].bytes / element_info(run->problem->type)->bytes)}},
        {ARGUMENT_LONG, {.long_value = (int64_t)state->leaves.leaf}},
    };
    const struct launch launch = {.entry = "add_leaves",
                                  .rank = 1,
                                  .group = {GROUP, 1, 1},
                                  .groups = {leaves, 1, 1},
                                  .arguments = arguments,
                                  .argument_count = COUNT_OF(arguments)};
    return leaves ? program_launch(state->programs[index], &launch, error) : STATUS_OK;
}

static enum status send_sums(struct device_run *run, size_t index, struct error *error)
{
    struct state *state = run->state;
    size_t begin = leaves_begin(state->leaves, run->group->count, index) * sizeof(double);
    size_t end = leaves_begin(state->leaves, run->group->count, index + 1) * sizeof(double);
    const struct peer_copy copy = {.source = &run->scratch[index],
                                   .target = &run->scratch[0],
                                   .source_offset = begin,
                                   .target_offset = begin,
                                   .width = end - begin,
                                   .rows = 1};
    enum status status = carrier_begin(&state->carrier, index, error);
    return status == STATUS_OK ? carrier_copy(&state->carrier, index, 0, &copy, error) : status;
}

static enum status add_sums(struct device_run *run, struct error *error)
{
    struct state *state = run->state;
    const struct argument_value arguments[] = {
        {ARGUMENT_BUFFER, {.buffer = &run->scratch[0]}},
        {ARGUMENT_BUFFER, {.buffer = &run->buffers[0][2]}},
        {ARGUMENT_LONG, {.long_value = (int64_t)state->leaves.count}},
    };
    const struct launch launch = {.entry = "add_sums",
                                  .rank = 1,
                                  .group = {GROUP, 1, 1},
                                  .groups = {1, 1, 1},
                                  .arguments = arguments,
                                  .argument_count = COUNT_OF(arguments)};
    return program_launch(state->programs[0], &launch, error);
}

enum status leaves_enqueue(struct device_run *run, struct error *error)
{
    struct state *state = run->state;
    enum status status = STATUS_OK;
    bool carries = state->way != LEAVES_BY_STORES;
    for (size_t i = 0; status == STATUS_OK && i < run->group->count; i++)
        status = add_leaves(run, i, error);
    for (size_t i = 1; status == STATUS_OK && carries && i < run->group->count; i++)
        status = send_sums(run, i, error);
    if (status == STATUS_OK)
        status = carries ? carrier_join(&state->carrier, error) : group_barrier(run->group, error);
    return status == STATUS_OK ? add_sums(run, error) : status;
}
