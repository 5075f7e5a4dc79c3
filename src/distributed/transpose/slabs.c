#include "distributed/transpose/slabs.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/size.h"
#include "distributed/local_run.h"
#include "distributed/transpose/transpose.h"
#include "kernels/part.h"

#define PIECES_MOST 16

/* A range of rows of a device's slab. */
struct piece {
    size_t first_row, rows; /* rows of the whole input */
    size_t offset;          /* in the slab and in the transposed slab, which have the same size */
    struct buffer in, turned;
    struct local_run run;
};

struct slabs {
    struct matrix_shape shape;
    struct carrier carrier;
    size_t piece_count[GROUP_MAX];
    struct piece pieces[GROUP_MAX][PIECES_MOST];
};

static size_t rows_of(struct matrix_shape shape, size_t index, size_t count)
{
    return input_begin(shape, count, index + 1) - input_begin(shape, count, index);
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
    size_t columns = output_begin(shape, count, index + 1) - output_begin(shape, count, index);
    return slabs_scratch(problem, index, count) + columns * shape.rows * shape.element;
}

/* ---- preparing ------------------------------------------------------------------------------------------------ */

/* A piece's number of rows must be a multiple of this, so that views may begin at its start. */
static size_t row_unit(struct matrix_shape shape)
{
    size_t unit = 1, row = shape.cols * shape.element;
    while (unit < BUFFER_ALIGNMENT && unit * row % BUFFER_ALIGNMENT != 0)
        unit *= 2;
    return unit * row % BUFFER_ALIGNMENT == 0 ? unit : 0;
}

static enum status make_piece(struct device_run *run, size_t index, struct piece *piece, struct error *error)
{
    struct matrix_shape shape = matrix_shape_of(run->problem);
    size_t bytes = piece->rows * shape.cols * shape.element;
    enum status status = buffer_view(&run->buffers[index][0], piece->offset, bytes, &piece->in, error);
    if (status == STATUS_OK)
        status = buffer_view(&run->scratch[index], piece->offset, bytes, &piece->turned, error);
    if (status != STATUS_OK)
        return status;
    struct problem local = *run->problem;
    problem_set_size(&local, "rows", (int64_t)piece->rows);
    const struct buffer buffers[] = {piece->in, piece->turned};
    status = local_run_make(&piece->run, &local, run->group->devices[index], buffers, error);
    if (status == STATUS_OK)
        snprintf(run->detail, sizeof run->detail, "%s", piece->run.prepared.run.rung->name);
    return status;
}

static enum status make_pieces(struct device_run *run, size_t index, size_t most, struct error *error)
{
    struct slabs *slabs = run->state;
    struct matrix_shape shape = slabs->shape;
    size_t rows = rows_of(shape, index, run->group->count), unit = row_unit(shape);
    size_t count = unit == 0 ? 1 : size_least(most, (rows + unit - 1) / unit);
    enum status status = STATUS_OK;
    if (rows == 0 || shape.cols == 0)
        return STATUS_OK;
    for (size_t p = 0; status == STATUS_OK && p < count; p++) {
        struct piece *piece = &slabs->pieces[index][p];
        size_t begin = unit == 0 ? 0 : deal_begin(rows, unit, count, p);
        size_t end = unit == 0 ? rows : deal_begin(rows, unit, count, p + 1);
        piece->first_row = input_begin(shape, run->group->count, index) + begin;
        piece->rows = end - begin;
        piece->offset = begin * shape.cols * shape.element;
        slabs->piece_count[index] = p + 1;
        status = make_piece(run, index, piece, error);
    }
    return status;
}

enum status slabs_prepare(struct device_run *run, enum carrier_kind kind, size_t pieces, struct error *error)
{
    struct slabs *slabs = run->state = calloc(1, sizeof *slabs);
    if (!slabs)
        return fail(error, STATUS_UNAVAILABLE, "no memory");
    slabs->shape = matrix_shape_of(run->problem);
    enum status status = carrier_create(&slabs->carrier, kind, run, error);
    for (size_t i = 0; status == STATUS_OK && i < run->group->count; i++)
        status = make_pieces(run, i, pieces, error);
    return status;
}

void slabs_finish(struct device_run *run)
{
    struct slabs *slabs = run->state;
    for (size_t i = 0; slabs && i < GROUP_MAX; i++)
        for (size_t p = 0; p < slabs->piece_count[i]; p++) {
            local_run_finish(&slabs->pieces[i][p].run);
            buffer_release(&slabs->pieces[i][p].in);
            buffer_release(&slabs->pieces[i][p].turned);
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
    size_t columns = output_begin(shape, count, to + 1) - output_begin(shape, count, to);
    return slabs_scratch(run->problem, to, count) + input_begin(shape, count, from) * columns * shape.element;
}

/* Sends the columns of one transposed piece that are device `to`'s output rows. */
static enum status send_piece(struct device_run *run, size_t from, size_t to, const struct piece *piece,
                              struct error *error)
{
    struct slabs *slabs = run->state;
    struct matrix_shape shape = slabs->shape;
    size_t count = run->group->count, first = output_begin(shape, count, to), end = output_begin(shape, count, to + 1);
    size_t width = piece->rows * shape.element;
    struct peer_copy copy = {.source = &run->scratch[from],
                             .target = &run->buffers[to][1],
                             .source_offset = piece->offset + first * width,
                             .source_pitch = width,
                             .target_offset = piece->first_row * shape.element,
                             .target_pitch = shape.rows * shape.element,
                             .width = width,
                             .rows = end - first};
    if (slabs->carrier.kind == CARRIER_NCCL && from != to) {
        copy.target = &run->scratch[to];
        copy.target_offset = landing(run, from, to);
        copy.target_pitch = width;
    }
    return carrier_copy(&slabs->carrier, from, to, &copy, error);
}

/* Copies rows on the device from NCCL's target to their place. */
static enum status place(struct device_run *run, size_t from, size_t to, struct error *error)
{
    struct matrix_shape shape = matrix_shape_of(run->problem);
    size_t count = run->group->count, width = rows_of(shape, from, count) * shape.element;
    const struct peer_copy copy = {.source = &run->scratch[to],
                                   .target = &run->buffers[to][1],
                                   .source_offset = landing(run, from, to),
                                   .source_pitch = width,
                                   .target_offset = input_begin(shape, count, from) * shape.element,
                                   .target_pitch = shape.rows * shape.element,
                                   .width = width,
                                   .rows = output_begin(shape, count, to + 1) - output_begin(shape, count, to)};
    return from == to ? STATUS_OK : group_copy(run->group, to, &copy, error);
}

enum status slabs_enqueue(struct device_run *run, struct error *error)
{
    struct slabs *slabs = run->state;
    size_t count = run->group->count;
    enum status status = STATUS_OK;
    for (size_t p = 0; status == STATUS_OK && p < PIECES_MOST; p++)
        for (size_t i = 0; status == STATUS_OK && i < count; i++) {
            struct piece *piece = &slabs->pieces[i][p];
            if (p >= slabs->piece_count[i])
                continue;
            status = local_run_enqueue(&piece->run, error);
            if (status == STATUS_OK)
                status = carrier_begin(&slabs->carrier, i, error);
            for (size_t d = 1; status == STATUS_OK && d <= count; d++)
                status = send_piece(run, i, (i + d) % count, piece, error);
        }
    if (status == STATUS_OK)
        status = carrier_join(&slabs->carrier, error);
    for (size_t to = 0; slabs->carrier.kind == CARRIER_NCCL && to < count; to++)
        for (size_t from = 0; status == STATUS_OK && from < count; from++)
            status = place(run, from, to, error);
    return status;
}
