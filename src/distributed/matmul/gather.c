#include <stdio.h>
#include <stdlib.h>

#include "distributed/local_run.h"
#include "distributed/matmul/matmul.h"

struct gather {
    struct product_shape shape;
    struct carrier carrier;
    struct local_run products[GROUP_MAX];
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
    enum status status = local_run_make(&gather->products[index], &local, run->group->devices[index], buffers, error);
    if (status != STATUS_OK)
        return status;
    snprintf(run->detail, sizeof run->detail, "%s", gather->products[index].prepared.run.rung->name);
    run->bound = gather->products[index].bound > run->bound ? gather->products[index].bound : run->bound;
    return STATUS_OK;
}

enum status gather_prepare(struct device_run *run, struct error *error)
{
    struct gather *gather = run->state = calloc(1, sizeof *gather);
    if (!gather)
        return fail(error, STATUS_UNAVAILABLE, "no memory");
    gather->shape = product_shape_of(run->problem);
    enum status status = carrier_create(&gather->carrier, run, error);
    for (size_t i = 0; status == STATUS_OK && i < run->group->count; i++)
        status = make_product(run, i, error);
    return status;
}

void gather_finish(struct device_run *run)
{
    struct gather *gather = run->state;
    for (size_t i = 0; gather && i < GROUP_MAX; i++)
        local_run_finish(&gather->products[i]);
    if (gather)
        carrier_destroy(&gather->carrier);
    free(gather);
    run->state = NULL;
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
    return carrier_copy(&gather->carrier, from, to, &copy, error);
}

enum status gather_enqueue(struct device_run *run, struct error *error)
{
    struct gather *gather = run->state;
    size_t count = run->group->count;
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < count; i++)
        status = carrier_begin(&gather->carrier, i, error);
    for (size_t d = 0; d < count; d++)
        for (size_t i = 0; status == STATUS_OK && i < count; i++)
            status = send_rows(run, i, (i + d) % count, error);
    if (status == STATUS_OK)
        status = carrier_join(&gather->carrier, error);
    for (size_t i = 0; status == STATUS_OK && i < count; i++)
        status = local_run_enqueue(&gather->products[i], error);
    return status;
}
