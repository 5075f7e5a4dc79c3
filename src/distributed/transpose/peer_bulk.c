/* The host half of the fused rung with bulk copies: the shape of the tiles, and groups that stay on the device. */
#include <stdio.h>
#include <stdlib.h>

#include "base/embedded.h"
#include "base/size.h"
#include "base/translation.h"
#include "distributed/transpose/tiles.h"
#include "distributed/transpose/transpose.h"

#define THREADS 256
#define SLOTS 3
#define GROUPS_PER_UNIT 1

static enum status refuse(const struct device_run *run, struct matrix_shape shape, struct error *error)
{
    for (size_t i = 0; i < run->group->count; i++) {
        const struct device *device = run->group->devices[i];
        if (device->backend->kind != BACKEND_CUDA || atoi(device->properties.version) < 9)
            return fail(error, STATUS_UNAVAILABLE, "%s: needs bulk copies of compute capability 9.0 (Hopper)",
                        device->id);
    }
    if (!matrix_is_wide(shape))
        return fail(error, STATUS_UNAVAILABLE, "rows of input and output must be multiples of 16 bytes");
    return STATUS_OK;
}

static enum status prepare(struct device_run *run, struct error *error)
{
    struct matrix_shape shape = matrix_shape_of(run->problem);
    enum status status = refuse(run, shape, error);
    if (status != STATUS_OK)
        return status;
    struct stores *stores = run->state = calloc(1, sizeof *stores);
    if (!stores)
        return fail(error, STATUS_UNAVAILABLE, "no memory");
    stores->down = shape.element > 8 ? 64 : shape.element > 4 ? 128 : 256;
    stores->across = shape.element > 8 ? 8 : shape.element > 4 ? 16 : 32;
    char bytes[32], down[32], across[32];
    snprintf(bytes, sizeof bytes, "ELEMENT_BYTES=%zu", shape.element);
    snprintf(down, sizeof down, "DOWN=%zu", stores->down);
    snprintf(across, sizeof across, "ACROSS=%zu", stores->across);
    const char *const defines[] = {tiles_element(shape.element), bytes, down, across, "THREADS=256", "SLOTS=3"};
    const struct embedded_file *file = embedded_find("distributed/transpose/peer_bulk.cu");
    const struct program_source source = {file->path, file->text, LANGUAGE_CUDA_C, defines, COUNT_OF(defines)};
    return stores_make(run, &source, error);
}

static enum status launch_on(struct device_run *run, size_t index, struct error *error)
{
    struct stores *stores = run->state;
    struct matrix_shape shape = matrix_shape_of(run->problem);
    size_t count = run->group->count, others = count - 1, first = input_begin(shape, count, index);
    size_t rows = input_begin(shape, count, index + 1) - first;
    size_t all = (size_t)run->group->devices[index]->properties.units * GROUPS_PER_UNIT;
    /* Tiles that stay are one of `count`, and need few groups, since no link holds them up. */
    size_t locals = others ? all / (2 * count) : all, sending = others ? (all - locals) / others * others : 0;
    if (rows == 0 || shape.cols == 0)
        return STATUS_OK;
    if (locals == 0 || (others && sending == 0)) /* fewer multiprocessors than devices */
        locals = 1, sending = others;
    const struct argument_value arguments[] = {
        {ARGUMENT_BUFFER, {.buffer = &run->buffers[index][0]}}, {ARGUMENT_BUFFER, {.buffer = &stores->places[index]}},
        {ARGUMENT_LONG, {.long_value = (int64_t)shape.rows}},   {ARGUMENT_LONG, {.long_value = (int64_t)shape.cols}},
        {ARGUMENT_LONG, {.long_value = (int64_t)first}},        {ARGUMENT_LONG, {.long_value = (int64_t)rows}},
        {ARGUMENT_INT, {.int_value = (int32_t)index}},          {ARGUMENT_INT, {.int_value = (int32_t)count}},
        {ARGUMENT_INT, {.int_value = (int32_t)locals}},
    };
    const struct launch launch = {.entry = "transpose",
                                  .rank = 1,
                                  .group = {THREADS, 1, 1},
                                  .groups = {locals + sending, 1, 1},
                                  .local_bytes = SLOTS * stores->across * (stores->down * shape.element + 16),
                                  .arguments = arguments,
                                  .argument_count = COUNT_OF(arguments)};
    return program_launch(stores->programs[index], &launch, error);
}

static enum status enqueue(struct device_run *run, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < run->group->count; i++)
        status = launch_on(run, i, error);
    return status == STATUS_OK ? group_barrier(run->group, error) : status;
}

const struct device_rung transpose_peer_bulk = {
    .name = "peer-bulk",
    .idea = N_("as peer-stores; bulk copies carry a tile's rows, and some groups make the tiles that stay"),
    .needs = NEEDS_PEERS,
    .overlaps = true,
    .prepare = prepare,
    .enqueue = enqueue,
    .finish = stores_finish,
};
