#include <math.h>

#include "distributed/carrier.h"
#include "distributed/matmul/matmul.h"

struct gather {
    struct carried carried;
    struct product_shape shape;
};

size_t gather_scratch(const struct problem *problem, size_t index, size_t count)
{
    struct product_shape shape = product_shape_of(problem);
    (void)index, (void)count;
    return shape.k * shape.n * shape.element;
}

static enum status make_product(struct device_run *run, size_t index, struct error *error)
{
    struct gather *gather = run->state;
    size_t count = run->group->count;
    size_t rows = a_begin(gather->shape, count, index + 1) - a_begin(gather->shape, count, index);
    struct problem local = *run->problem;
    const struct buffer buffers[] = {run->buffers[index][0], run->scratch[index], run->buffers[index][2]};
    if (rows == 0)
        return STATUS_OK;
    problem_set_size(&local, "m", (int64_t)rows);
    enum status status = carried_local(run, index, &local, buffers, NULL, &gather->carried.local[index], error);
    run->bound = fmax(gather->carried.local[index].bound, run->bound);
    return status;
}

enum status gather_prepare(struct device_run *run, struct error *error)
{
    enum status status = carried_begin(run, sizeof(struct gather), error);
    if (status == STATUS_OK)
        ((struct gather *)run->state)->shape = product_shape_of(run->problem);
    for (size_t i = 0; status == STATUS_OK && i < run->group->count; i++)
        status = make_product(run, i, error);
    return status;
}

/* Copies device `from`'s rows of B to their place in device `to`'s copy of B. */
static enum status send_rows(struct device_run *run, size_t from, size_t to, struct error *error)
{
    struct gather *gather = run->state;
    size_t row = gather->shape.n * gather->shape.element;
    const struct peer_copy copy = {.source = &run->buffers[from][1],
                                   .target = &run->scratch[to],
                                   .target_offset = b_begin(gather->shape, run->group->count, from) * row,
                                   .width = run->buffers[from][1].bytes,
                                   .rows = 1};
    return carrier_copy(&gather->carried.carrier, from, to, &copy, error);
}

enum status gather_enqueue(struct device_run *run, struct error *error)
{
    struct gather *gather = run->state;
    size_t count = run->group->count;
    enum status status = carrier_begin_all(&gather->carried.carrier, error);
    for (size_t d = 0; d < count; d++)
        for (size_t i = 0; status == STATUS_OK && i < count; i++)
            status = send_rows(run, i, (i + d) % count, error);
    if (status == STATUS_OK)
        status = carrier_join(&gather->carried.carrier, error);
    for (size_t i = 0; status == STATUS_OK && i < count; i++)
        status = local_run_enqueue(&gather->carried.local[i], error);
    return status;
}
