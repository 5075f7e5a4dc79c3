/* The host half of the fused rung: the table of addresses, and one launch for each device. */
#include <stdlib.h>

#include "base/size.h"
#include "base/translation.h"
#include "distributed/transpose/tiles.h"
#include "distributed/transpose/transpose.h"

static enum status prepare(struct device_run *run, struct error *error)
{
    struct stores *stores = run->state = calloc(1, sizeof *stores);
    if (!stores)
        return fail(error, STATUS_UNAVAILABLE, "no memory");
    struct tiles tiles;
    struct matrix_shape shape = matrix_shape_of(run->problem);
    tiles_describe(shape.element, matrix_is_wide(shape), &tiles);
    stores->down = tiles.down;
    stores->across = tiles.across;
    return stores_make(run, &tiles.source, error);
}

static enum status launch_on(struct device_run *run, size_t index, struct error *error)
{
    struct stores *stores = run->state;
    struct matrix_shape shape = matrix_shape_of(run->problem);
    size_t count = run->group->count, first = input_begin(shape, count, index);
    size_t rows = input_begin(shape, count, index + 1) - first, widest = 0;
    for (size_t i = 0; i < count; i++) {
        size_t columns = output_begin(shape, count, i + 1) - output_begin(shape, count, i);
        widest = columns > widest ? columns : widest;
    }
    size_t tiles = (rows + stores->down - 1) / stores->down * ((widest + stores->across - 1) / stores->across);
    const struct argument_value arguments[] = {
        {ARGUMENT_BUFFER, {.buffer = &run->buffers[index][0]}}, {ARGUMENT_BUFFER, {.buffer = &stores->places[index]}},
        {ARGUMENT_LONG, {.long_value = (int64_t)shape.rows}},   {ARGUMENT_LONG, {.long_value = (int64_t)shape.cols}},
        {ARGUMENT_LONG, {.long_value = (int64_t)first}},        {ARGUMENT_LONG, {.long_value = (int64_t)rows}},
        {ARGUMENT_INT, {.int_value = (int32_t)index}},          {ARGUMENT_INT, {.int_value = (int32_t)count}},
    };
    const struct launch launch = {.entry = "transpose",
                                  .rank = 1,
                                  .group = {TILE_ITEMS, 1, 1},
                                  .groups = {tiles * count, 1, 1},
                                  .arguments = arguments,
                                  .argument_count = COUNT_OF(arguments)};
    return tiles ? program_launch(stores->programs[index], &launch, error) : STATUS_OK;
}

static enum status enqueue(struct device_run *run, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < run->group->count; i++)
        status = launch_on(run, i, error);
    return status == STATUS_OK ? group_barrier(run->group, error) : status;
}

const struct device_rung transpose_peer_stores = {
    .name = "peer-stores",
    .idea =
        N_("one kernel: a tile is turned and stored where it belongs, also in a peer's memory; no copies, no scratch"),
    .needs = NEEDS_PEERS,
    .overlaps = true,
    .prepare = prepare,
    .enqueue = enqueue,
    .finish = stores_finish,
};
