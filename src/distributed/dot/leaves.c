#include "distributed/carrier.h"
#include "distributed/dot/dot.h"
#include "distributed/dot/leaf_kernels.h"

struct state {
    struct carried carried;
    struct leaves leaves;
    enum leaves_way way;
    int64_t sums[GROUP_MAX];        /* address of each device's sums, in its own memory */
    int64_t all_sums, done, result; /* by stores: addresses on device 0 */
    struct buffer counter;
};

size_t leaves_scratch(const struct problem *problem, size_t index, size_t count)
{
    (void)index, (void)count;
    return (leaves_of(problem).count + 1) * sizeof(double);
}

/* The sums of all leaves, the number of devices whose sums are there, and the result, on device 0. */
static enum status find_common_places(struct device_run *run, struct error *error)
{
    struct state *state = run->state;
    const uint32_t none = 0;
    enum status status = buffer_allocate(run->group->devices[0], sizeof none, &state->counter, error);
    if (status == STATUS_OK)
        status = buffer_write(&state->counter, 0, &none, sizeof none, error);
    if (status == STATUS_OK)
        status = group_address(run->group, 0, &state->counter, &state->done, error);
    if (status == STATUS_OK)
        status = group_address(run->group, 0, &run->scratch[0], &state->all_sums, error);
    return status == STATUS_OK ? group_address(run->group, 0, &run->buffers[0][2], &state->result, error) : status;
}

/* The sums lie in each device's memory: at the same offset in all where they are copied to device 0's; else they begin
 * its memory. Device 0's leaves are the first. */
static enum status find_places(struct device_run *run, struct error *error)
{
    struct state *state = run->state;
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < run->group->count; i++) {
        status = group_address(run->group, i, &run->scratch[i], &state->sums[i], error);
        if (state->way != LEAVES_STORED)
            state->sums[i] += (int64_t)(leaves_begin(state->leaves, run->group->count, i) * sizeof(double));
    }
    return status == STATUS_OK && state->way == LEAVES_STORED ? find_common_places(run, error) : status;
}

enum status leaves_prepare(struct device_run *run, struct error *error)
{
    enum status status = carried_begin(run, sizeof(struct state), error);
    struct state *state = run->state;
    if (status != STATUS_OK)
        return status;
    state->leaves = leaves_of(run->problem);
    state->way = (enum leaves_way)run->rung->way;
    for (size_t i = 0; status == STATUS_OK && i < run->group->count; i++)
        status = leaf_kernels_build(run->group->devices[i], run->problem->type, &state->carried.programs[i], error);
    size_t additions = state->leaves.leaf / LEAF_GROUP + LEAVES_MOST / LEAF_GROUP + (size_t)2 * LEAF_GROUP;
    run->bound = (double)additions / 9007199254740992.0; /* counted as in kernels/dot/wide.cl */
    return status == STATUS_OK ? find_places(run, error) : status;
}

void leaves_finish(struct device_run *run)
{
    struct state *state = run->state;
    if (state)
        buffer_release(&state->counter);
    carried_end(run);
}

static enum status add_leaves(struct device_run *run, size_t index, struct error *error)
{
    struct state *state = run->state;
    const struct buffer *buffers = run->buffers[index];
    const struct leaf_sums sums = {
        .a = &buffers[0], .b = &buffers[1], .address = state->sums[index], .leaf = state->leaves.leaf};
    return leaf_kernels_add(state->carried.programs[index], &sums,
                            buffers[0].bytes / element_info(run->problem->type)->bytes, error);
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
    enum status status = carrier_begin(&state->carried.carrier, index, error);
    return status == STATUS_OK ? carrier_copy(&state->carried.carrier, index, 0, &copy, error) : status;
}

/* Behind each device's leaves. */
static enum status collect(struct device_run *run, size_t index, struct error *error)
{
    struct state *state = run->state;
    size_t count = run->group->count, first = leaves_begin(state->leaves, count, index);
    const struct leaf_total total = {.own = &run->scratch[index],
                                     .own_count = leaves_begin(state->leaves, count, index + 1) - first,
                                     .first_leaf = first,
                                     .sums = state->all_sums,
                                     .done = state->done,
                                     .result = state->result,
                                     .count = state->leaves.count,
                                     .devices = count};
    return leaf_kernels_collect(state->carried.programs[index], &total, error);
}

enum status leaves_enqueue(struct device_run *run, struct error *error)
{
    struct state *state = run->state;
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < run->group->count; i++)
        status = add_leaves(run, i, error);
    for (size_t i = 0; status == STATUS_OK && state->way == LEAVES_STORED && i < run->group->count; i++)
        status = collect(run, i, error);
    if (state->way == LEAVES_STORED)
        return status;
    for (size_t i = 1; status == STATUS_OK && i < run->group->count; i++)
        status = send_sums(run, i, error);
    if (status == STATUS_OK)
        status = carrier_join(&state->carried.carrier, error);
    return status == STATUS_OK ? leaf_kernels_total(state->carried.programs[0], &run->scratch[0], state->leaves.count,
                                                    &run->buffers[0][2], error)
                               : status;
}
