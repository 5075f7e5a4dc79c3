/* Rows travel as they are, in pieces; the device that owns the result turns each piece into its place while the next
 * one travels. So the links begin at once, and a copy engine writes without gaps. Turning before would let them wait,
 * and take the copy engines two passes over short rows. */
#include "base/size.h"
#include "base/translation.h"
#include "distributed/carrier.h"
#include "distributed/transpose/tiles.h"
#include "distributed/transpose/transpose.h"
#include "kernels/part.h"

/* The last two are a half and a quarter of the others: little is left to be turned when all is there. */
#define PIECES 5

struct pipeline {
    struct carried carried;
    struct matrix_shape shape;
    struct tiles tiles;
};

/* Rows `first` … `end` of the input on device `from`, and the columns that are rows of the output on device `to`. */
struct block {
    size_t first, end, left, right;
};

static struct block block_of(const struct device_run *run, size_t from, size_t to, size_t piece)
{
    const struct pipeline *pipeline = run->state;
    struct matrix_shape shape = pipeline->shape;
    size_t count = run->group->count, first = input_begin(shape, count, from);
    size_t rows = input_begin(shape, count, from + 1) - first, units = (rows + BLOCK_ROWS - 1) / BLOCK_ROWS;
    return (struct block){
        .first = first + size_least(rows, part_begin_tapered(units, PIECES, piece) * BLOCK_ROWS),
        .end = first + size_least(rows, part_begin_tapered(units, PIECES, piece + 1) * BLOCK_ROWS),
        .left = output_begin(shape, count, to),
        .right = output_begin(shape, count, to + 1),
    };
}

/* The columns of the input that are this device's, of all rows, one after another. */
static size_t scratch(const struct problem *problem, size_t index, size_t count)
{
    struct matrix_shape shape = matrix_shape_of(problem);
    return shape.rows * (output_begin(shape, count, index + 1) - output_begin(shape, count, index)) * shape.element;
}

static enum status prepare(struct device_run *run, struct error *error)
{
    enum status status = carried_begin(run, sizeof(struct pipeline), error);
    struct pipeline *pipeline = run->state;
    if (status != STATUS_OK)
        return status;
    pipeline->shape = matrix_shape_of(run->problem);
    tiles_describe(pipeline->shape.element, matrix_is_wide(pipeline->shape), &pipeline->tiles);
    for (size_t i = 0; status == STATUS_OK && i < run->group->count; i++)
        status = program_build(run->group->devices[i], &pipeline->tiles.source, &pipeline->carried.programs[i], error);
    return status;
}

/* ---- running -------------------------------------------------------------------------------------------------- */

static enum status send_block(struct device_run *run, size_t from, size_t to, size_t piece, struct error *error)
{
    struct pipeline *pipeline = run->state;
    struct matrix_shape shape = pipeline->shape;
    struct block block = block_of(run, from, to, piece);
    size_t width = (block.right - block.left) * shape.element, row = shape.cols * shape.element;
    const struct peer_copy copy = {.source = &run->buffers[from][0],
                                   .source_offset = (block.first - input_begin(shape, run->group->count, from)) * row +
                                                    block.left * shape.element,
                                   .source_pitch = row,
                                   .target = &run->scratch[to],
                                   .target_offset = block.first * width,
                                   .target_pitch = width,
                                   .width = width,
                                   .rows = block.end - block.first};
    return carrier_copy(&pipeline->carried.carrier, from, to, &copy, error);
}

/* Turns a block into its place: one that has come, or one of the device's own input. */
static enum status turn_block(struct device_run *run, size_t from, size_t to, struct block block, struct error *error)
{
    const struct pipeline *pipeline = run->state;
    struct matrix_shape shape = pipeline->shape;
    size_t width = block.right - block.left, height = block.end - block.first;
    bool is_own = from == to;
    size_t at = is_own ? (block.first - input_begin(shape, run->group->count, from)) * shape.cols + block.left
                       : block.first * width;
    const struct rectangle rectangle = {.in = is_own ? &run->buffers[to][0] : &run->scratch[to],
                                        .in_at = at,
                                        .in_pitch = is_own ? shape.cols : width,
                                        .out = &run->buffers[to][1],
                                        .out_at = block.first,
                                        .out_pitch = shape.rows,
                                        .rows = height,
                                        .cols = width};
    return tiles_turn(&pipeline->tiles, pipeline->carried.programs[to], &rectangle, error);
}

static enum status send_all(struct device_run *run, size_t piece, struct error *error)
{
    size_t count = run->group->count;
    enum status status = STATUS_OK;
    for (size_t step = 1; step < count; step++)
        for (size_t from = 0; status == STATUS_OK && from < count; from++)
            status = send_block(run, from, (from + step) % count, piece, error);
    return status;
}

/* Turns what device `to` does not have to wait for. */
static enum status turn_own(struct device_run *run, size_t to, struct error *error)
{
    struct block own = block_of(run, to, to, 0);
    own.end = input_begin(((const struct pipeline *)run->state)->shape, run->group->count, to + 1);
    return turn_block(run, to, to, own, error);
}

static enum status turn_all(struct device_run *run, size_t piece, struct error *error)
{
    struct pipeline *pipeline = run->state;
    size_t count = run->group->count;
    enum status status = STATUS_OK;
    for (size_t step = 1; step < count; step++)
        for (size_t from = 0; status == STATUS_OK && from < count; from++) {
            size_t to = (from + step) % count;
            status = carrier_arrive(&pipeline->carried.carrier, from, to, error);
            if (status == STATUS_OK)
                status = turn_block(run, from, to, block_of(run, from, to, piece), error);
        }
    return status;
}

/* The host sends each piece before it enqueues the work on the one before. */
static enum status enqueue(struct device_run *run, struct error *error)
{
    struct pipeline *pipeline = run->state;
    size_t count = run->group->count;
    enum status status = carrier_begin_all(&pipeline->carried.carrier, error);
    if (status == STATUS_OK)
        status = send_all(run, 0, error);
    for (size_t i = 0; status == STATUS_OK && i < count; i++)
        status = turn_own(run, i, error);
    for (size_t piece = 0; status == STATUS_OK && piece < PIECES; piece++) {
        status = turn_all(run, piece, error);
        if (status == STATUS_OK && piece + 1 < PIECES)
            status = send_all(run, piece + 1, error);
    }
    return status;
}

const struct device_rung transpose_pipelined = {
    .name = "pipelined",
    .idea = N_("rows travel as they are, in five pieces; the receiver turns one piece while the next travels"),
    .needs = NEEDS_PEERS,
    .carrier = CARRIER_PEERS,
    .overlaps = true,
    .scratch = scratch,
    .prepare = prepare,
    .enqueue = enqueue,
    .finish = carried_end,
};
