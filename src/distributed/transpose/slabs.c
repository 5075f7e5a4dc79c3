#include "distributed/transpose/slabs.h"

#include <stdio.h>
#include <stdlib.h>

#include "distributed/local_run.h"
#include "distributed/transpose/tiles.h"
#include "distributed/transpose/transpose.h"

/* A device's part: its rows of the input, transposed in scratch memory. */
struct slab {
    struct buffer turned; /* a view */
    struct local_run run;
    struct program *program; /* tiles.cl */
};

struct slabs {
    struct matrix_shape shape;
    struct carrier carrier;
    struct slab slabs[GROUP_MAX];
};

static size_t rows_of(struct matrix_shape shape, size_t index, size_t count)
{
    return input_begin(shape, count, index + 1) - input_begin(shape, count, index);
}

static size_t columns_of(struct matrix_shape shape, size_t index, size_t count)
{
    return output_begin(shape, count, index + 1) - output_begin(shape, count, index);
}

static size_t round_up(size_t bytes)
{
    return (bytes + BUFFER_ALIGNMENT - 1) / BUFFER_ALIGNMENT * BUFFER_ALIGNMENT;
}

size_t slabs_scratch(const struct problem *problem, size_t index, size_t count)
{
    struct matrix_shape shape = matrix_shape_of(problem);
    return round_up(rows_of(shape, index, count) * shape.cols * shape.element);
}

size_t slabs_scratch_twice(const struct problem *problem, size_t index, size_t count)
{
    struct matrix_shape shape = matrix_shape_of(problem);
    return slabs_scratch(problem, index, count) + columns_of(shape, index, count) * shape.rows * shape.element;
}

double slabs_work(const struct problem *problem, size_t count)
{
    (void)problem;
    return 2.0 / (double)count;
}

/* ---- preparing ------------------------------------------------------------------------------------------------ */

static enum status make_slab(struct device_run *run, size_t index, const struct tiles *tiles, struct error *error)
{
    struct slabs *slabs = run->state;
    struct slab *slab = &slabs->slabs[index];
    struct device *device = run->group->devices[index];
    const struct buffer *rows = &run->buffers[index][0];
    enum status status = program_build(device, &tiles->source, &slab->program, error);
    if (status != STATUS_OK || rows->bytes == 0)
        return status;
    struct problem local = *run->problem;
    problem_set_size(&local, "rows", (int64_t)rows_of(slabs->shape, index, run->group->count));
    status = buffer_view(&run->scratch[index], 0, rows->bytes, &slab->turned, error);
    const struct buffer buffers[] = {*rows, slab->turned};
    if (status == STATUS_OK)
        status = local_run_make(&slab->run, &local, device, buffers, error);
    if (status == STATUS_OK)
        snprintf(run->detail, sizeof run->detail, "%s", slab->run.prepared.run.rung->name);
    return status;
}

enum status slabs_prepare(struct device_run *run, struct error *error)
{
    struct slabs *slabs = run->state = calloc(1, sizeof *slabs);
    struct tiles tiles;
    if (!slabs)
        return fail(error, STATUS_UNAVAILABLE, "no memory");
    slabs->shape = matrix_shape_of(run->problem);
    tiles_describe(slabs->shape.element, matrix_is_wide(slabs->shape), &tiles);
    enum status status = carrier_create(&slabs->carrier, run, error);
    for (size_t i = 0; status == STATUS_OK && i < run->group->count; i++)
        status = make_slab(run, i, &tiles, error);
    return status;
}

void slabs_finish(struct device_run *run)
{
    struct slabs *slabs = run->state;
    for (size_t i = 0; slabs && i < GROUP_MAX; i++) {
        local_run_finish(&slabs->slabs[i].run);
        program_discard(slabs->slabs[i].program);
        buffer_release(&slabs->slabs[i].turned);
    }
    if (slabs)
        carrier_destroy(&slabs->carrier);
    free(slabs);
    run->state = NULL;
}

/* ---- running -------------------------------------------------------------------------------------------------- */

/* NCCL's target for device `from`'s rows on device `to`: behind the transposed slab, sender by sender. */
static size_t landing(const struct device_run *run, size_t from, size_t to)
{
    struct matrix_shape shape = matrix_shape_of(run->problem);
    size_t count = run->group->count;
    return slabs_scratch(run->problem, to, count) +
           input_begin(shape, count, from) * columns_of(shape, to, count) * shape.element;
}

/* Offset in device `from`'s transposed slab of the columns that are device `to`'s output rows. */
static size_t departure(const struct device_run *run, size_t from, size_t to)
{
    struct matrix_shape shape = matrix_shape_of(run->problem);
    return output_begin(shape, run->group->count, to) * rows_of(shape, from, run->group->count) * shape.element;
}

static enum status send_block(struct device_run *run, size_t from, size_t to, struct error *error)
{
    struct slabs *slabs = run->state;
    struct matrix_shape shape = slabs->shape;
    size_t count = run->group->count, width = rows_of(shape, from, count) * shape.element;
    bool lands = slabs->carrier.kind == CARRIER_NCCL;
    const struct peer_copy copy = {.source = &run->scratch[from],
                                   .target = lands ? &run->scratch[to] : &run->buffers[to][1],
                                   .source_offset = departure(run, from, to),
                                   .source_pitch = width,
                                   .target_offset =
                                       lands ? landing(run, from, to) : input_begin(shape, count, from) * shape.element,
                                   .target_pitch = lands ? width : shape.rows * shape.element,
                                   .width = width,
                                   .rows = columns_of(shape, to, count)};
    return carrier_copy(&slabs->carrier, from, to, &copy, error);
}

/* Copies rows on device `to` to their place: its own, or those that NCCL brought. */
static enum status place(struct device_run *run, size_t from, size_t to, struct error *error)
{
    const struct slabs *slabs = run->state;
    struct matrix_shape shape = slabs->shape;
    size_t count = run->group->count, rows = rows_of(shape, from, count);
    const struct rectangle rectangle = {.in = &run->scratch[to],
                                        .in_at = (from == to ? departure(run, to, to) : landing(run, from, to)) /
                                                 shape.element,
                                        .in_pitch = rows,
                                        .out = &run->buffers[to][1],
                                        .out_at = input_begin(shape, count, from),
                                        .out_pitch = shape.rows,
                                        .rows = columns_of(shape, to, count),
                                        .cols = rows};
    return tiles_place(slabs->slabs[to].program, &rectangle, error);
}

enum status slabs_enqueue(struct device_run *run, struct error *error)
{
    struct slabs *slabs = run->state;
    size_t count = run->group->count;
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        status = local_run_enqueue(&slabs->slabs[i].run, error);
        if (status == STATUS_OK)
            status = carrier_begin(&slabs->carrier, i, error);
    }
    for (size_t step = 1; step < count; step++)
        for (size_t i = 0; status == STATUS_OK && i < count; i++)
            status = send_block(run, i, (i + step) % count, error);
    for (size_t i = 0; status == STATUS_OK && i < count; i++)
        status = place(run, i, i, error);
    if (status == STATUS_OK)
        status = carrier_join(&slabs->carrier, error);
    for (size_t to = 0; slabs->carrier.kind == CARRIER_NCCL && to < count; to++)
        for (size_t from = 0; status == STATUS_OK && from < count; from++)
            status = from == to ? STATUS_OK : place(run, from, to, error);
    return status;
}
