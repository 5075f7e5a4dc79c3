#include "distributed/transpose/transpose.h"

#include "base/size.h"
#include "base/translation.h"
#include "distributed/carrier.h"
#include "distributed/transpose/tiles.h"

/* Each device transposes its slab of rows by the best local rung. Parts of the transposed slab are rectangles of other
 * devices' outputs; a carrier copies them there. */

struct slabs {
    struct carried carried; /* each view: the device's rows of the input, transposed in scratch memory */
    struct matrix_shape shape;
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

/* For rung->scratch: the transposed slab; slabs_scratch_twice adds the size of the output's share. */
static size_t slabs_scratch(const struct problem *problem, size_t index, size_t count)
{
    struct matrix_shape shape = matrix_shape_of(problem);
    return round_up(rows_of(shape, index, count) * shape.cols * shape.element);
}

static size_t slabs_scratch_twice(const struct problem *problem, size_t index, size_t count)
{
    struct matrix_shape shape = matrix_shape_of(problem);
    return slabs_scratch(problem, index, count) + columns_of(shape, index, count) * shape.rows * shape.element;
}

/* For rung->work: the slab is transposed, then all of it is copied once. */
static double slabs_work(const struct problem *problem, size_t count)
{
    (void)problem;
    return 2.0 / (double)count;
}

/* ---- preparing ------------------------------------------------------------------------------------------------ */

static enum status make_slab(struct device_run *run, size_t index, const struct tiles *tiles, struct error *error)
{
    struct slabs *slabs = run->state;
    struct carried *own = &slabs->carried;
    const struct buffer *rows = &run->buffers[index][0];
    enum status status = program_build(run->group->devices[index], &tiles->source, &own->programs[index], error);
    if (status != STATUS_OK || rows->bytes == 0)
        return status;
    struct problem local = *run->problem;
    problem_set_size(&local, "rows", (int64_t)rows_of(slabs->shape, index, run->group->count));
    status = buffer_view(&run->scratch[index], 0, rows->bytes, &own->views[index], error);
    const struct buffer buffers[] = {*rows, own->views[index]};
    return status == STATUS_OK ? carried_local(run, index, &local, buffers, NULL, &own->local[index], error) : status;
}

/* For rung->prepare: makes run->state. */
static enum status slabs_prepare(struct device_run *run, struct error *error)
{
    struct tiles tiles;
    const struct matrix_shape shape = matrix_shape_of(run->problem);
    tiles_describe(shape.element, matrix_is_wide(shape), &tiles);
    enum status status = carried_begin(run, sizeof(struct slabs), error);
    if (status == STATUS_OK)
        ((struct slabs *)run->state)->shape = shape;
    for (size_t i = 0; status == STATUS_OK && i < run->group->count; i++)
        status = make_slab(run, i, &tiles, error);
    return status;
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
    bool lands = slabs->carried.carrier.kind == CARRIER_NCCL;
    const struct peer_copy copy = {.source = &run->scratch[from],
                                   .target = lands ? &run->scratch[to] : &run->buffers[to][1],
                                   .source_offset = departure(run, from, to),
                                   .source_pitch = width,
                                   .target_offset =
                                       lands ? landing(run, from, to) : input_begin(shape, count, from) * shape.element,
                                   .target_pitch = lands ? width : shape.rows * shape.element,
                                   .width = width,
                                   .rows = columns_of(shape, to, count)};
    return carrier_copy(&slabs->carried.carrier, from, to, &copy, error);
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
    return tiles_place(slabs->carried.programs[to], &rectangle, error);
}

/* For rung->enqueue. */
static enum status slabs_enqueue(struct device_run *run, struct error *error)
{
    struct slabs *slabs = run->state;
    size_t count = run->group->count;
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        status = local_run_enqueue(&slabs->carried.local[i], error);
        if (status == STATUS_OK)
            status = carrier_begin(&slabs->carried.carrier, i, error);
    }
    for (size_t step = 1; step < count; step++)
        for (size_t i = 0; status == STATUS_OK && i < count; i++)
            status = send_block(run, i, (i + step) % count, error);
    for (size_t i = 0; status == STATUS_OK && i < count; i++)
        status = place(run, i, i, error);
    if (status == STATUS_OK)
        status = carrier_join(&slabs->carried.carrier, error);
    for (size_t to = 0; slabs->carried.carrier.kind == CARRIER_NCCL && to < count; to++)
        for (size_t from = 0; status == STATUS_OK && from < count; from++)
            status = from == to ? STATUS_OK : place(run, from, to, error);
    return status;
}

extern const struct kernel kernel_transpose;
extern const struct device_rung transpose_pipelined, transpose_peer_stores, transpose_peer_bulk;

struct matrix_shape matrix_shape_of(const struct problem *problem)
{
    return (struct matrix_shape){.rows = (size_t)problem_size(problem, "rows"),
                                 .cols = (size_t)problem_size(problem, "cols"),
                                 .element = element_info(problem->type)->bytes};
}

static struct share share(const struct problem *problem, int array, size_t index, size_t count)
{
    struct matrix_shape shape = matrix_shape_of(problem);
    bool is_input = array == 0;
    size_t begin = is_input ? input_begin(shape, count, index) : output_begin(shape, count, index);
    size_t end = is_input ? input_begin(shape, count, index + 1) : output_begin(shape, count, index + 1);
    size_t row = (is_input ? shape.cols : shape.rows) * shape.element;
    return (struct share){.offset = begin * row, .bytes = (end - begin) * row};
}

/* Each device retains the square where its rows meet its columns. */
static double link_bytes(const struct problem *problem, size_t count)
{
    struct matrix_shape shape = matrix_shape_of(problem);
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        double columns = (double)(output_begin(shape, count, i + 1) - output_begin(shape, count, i));
        double others = (double)(shape.rows - (input_begin(shape, count, i + 1) - input_begin(shape, count, i)));
        double bytes = columns * others * (double)shape.element;
        most = bytes > most ? bytes : most;
    }
    return most;
}

static size_t rows_begin(const struct problem *problem, size_t count, size_t index)
{
    return input_begin(matrix_shape_of(problem), count, index);
}

/* These rungs differ in the carrier. */
#define SLABS .prepare = slabs_prepare, .enqueue = slabs_enqueue, .finish = carried_end

static const struct device_rung through_host = {
    THROUGH_HOST(N_("each device transposes its rows; the blocks travel to pinned host memory and from there")),
    .scratch = slabs_scratch, SLABS};
static const struct device_rung peer_copies = {
    BY_PEER_COPIES(N_("the blocks travel directly: copy engines put each as a rectangle into the peer's rows")),
    .scratch = slabs_scratch, SLABS};
static const struct device_rung nccl = {
    BY_NCCL(N_("NCCL's all-to-all between a local transpose and a local copy into place")), .work = slabs_work,
    .scratch = slabs_scratch_twice, SLABS};

static const struct device_rung *const rungs[] = {&through_host,          &peer_copies,         &transpose_pipelined,
                                                  &transpose_peer_stores, &transpose_peer_bulk, &nccl};

const struct device_ladder transpose_on_devices = {
    .kernel = &kernel_transpose,
    .rungs = rungs,
    .rung_count = COUNT_OF(rungs),
    .share = share,
    .link_bytes = link_bytes,
    .axis = "rows",
    .begin = rows_begin,
    .bench = "transpose:rows=16384,cols=16384",
};
