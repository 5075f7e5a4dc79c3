#include "distributed/transpose/transpose.h"

#include "base/element.h"
#include "base/size.h"
#include "base/translation.h"
#include "distributed/transpose/slabs.h"

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

static struct problem part(const struct problem *problem, size_t index, size_t count)
{
    struct problem own = *problem;
    struct matrix_shape shape = matrix_shape_of(problem);
    problem_set_size(&own, "rows", (int64_t)(input_begin(shape, count, index + 1) - input_begin(shape, count, index)));
    return own;
}

static void grow(struct problem *problem, size_t count)
{
    problem_set_size(problem, "rows", problem_size(problem, "rows") * (int64_t)count);
}

/* Rungs of slabs.c differ in the carrier. */
#define SLABS .prepare = slabs_prepare, .enqueue = slabs_enqueue, .finish = slabs_finish

static const struct device_rung through_host = {
    .name = "through-host",
    .idea = N_("each device transposes its rows; the blocks travel to pinned host memory and from there"),
    .scratch = slabs_scratch,
    .carrier = CARRIER_HOST,
    SLABS,
};
static const struct device_rung peer_copies = {
    .name = "peer-copies",
    .idea = N_("the blocks travel directly: copy engines put each as a rectangle into the peer's rows"),
    .needs = NEEDS_PEERS,
    .scratch = slabs_scratch,
    .carrier = CARRIER_PEERS,
    SLABS,
};
static const struct device_rung nccl = {
    .name = "nccl",
    .idea = N_("NCCL's all-to-all between a local transpose and a local copy into place"),
    .needs = NEEDS_NCCL,
    .work = slabs_work,
    .scratch = slabs_scratch_twice,
    .carrier = CARRIER_NCCL,
    SLABS,
};

static const struct device_rung *const rungs[] = {&through_host,          &peer_copies,         &transpose_pipelined,
                                                  &transpose_peer_stores, &transpose_peer_bulk, &nccl};

const struct device_ladder transpose_on_devices = {
    .kernel = &kernel_transpose,
    .rungs = rungs,
    .rung_count = COUNT_OF(rungs),
    .share = share,
    .link_bytes = link_bytes,
    .part = part,
    .grow = grow,
    .bench = "transpose:rows=16384,cols=16384",
};
