/* The product in parts of the depth. A device begins with its own rows of B, while the other devices' rows travel; each
 * further part is added to C. No product is computed twice. C is read once more for each part. */
#include <stdio.h>
#include <stdlib.h>

#include "base/size.h"
#include "base/translation.h"
#include "distributed/local_run.h"
#include "distributed/matmul/matmul.h"

/* A device's product with one device's rows of B, and the columns of A that match them. */
struct part {
    struct buffer a, b; /* views */
    struct local_run product;
};

struct overlap {
    struct product_shape shape;
    struct carrier carrier;
    struct part parts[GROUP_MAX][GROUP_MAX]; /* [device][owner of the rows of B] */
};

/* The owner of the rows of B that device `index` takes in turn `turn`: itself first, then the others in the order of
 * arrival. */
static size_t source_of(size_t index, size_t turn, size_t count)
{
    return (index + count - turn) % count;
}

/* Offset of device `from`'s rows of B in a device's scratch memory. */
static size_t landing(struct product_shape shape, size_t count, size_t from)
{
    size_t bytes = b_begin(shape, count, from) * shape.n * shape.element;
    return (bytes + BUFFER_ALIGNMENT - 1) / BUFFER_ALIGNMENT * BUFFER_ALIGNMENT + from * BUFFER_ALIGNMENT;
}

static size_t scratch(const struct problem *problem, size_t index, size_t count)
{
    struct product_shape shape = product_shape_of(problem);
    (void)index;
    return landing(shape, count, count);
}

/* ---- preparing ------------------------------------------------------------------------------------------------ */

static enum status make_part(struct device_run *run, size_t index, size_t from, bool first, struct error *error)
{
    struct overlap *overlap = run->state;
    struct product_shape shape = overlap->shape;
    size_t count = run->group->count;
    size_t begin = b_begin(shape, count, from), depth = b_begin(shape, count, from + 1) - begin;
    size_t rows = a_begin(shape, count, index + 1) - a_begin(shape, count, index);
    struct part *part = &overlap->parts[index][from];
    if (begin * shape.element % BUFFER_ALIGNMENT != 0 && depth > 0)
        return fail(error, STATUS_UNAVAILABLE,
                    "column %zu of A, where a device's part begins, is not at a multiple of "
                    "%d bytes",
                    begin, BUFFER_ALIGNMENT);
    size_t from_a = size_least(begin * shape.element, run->buffers[index][0].bytes);
    enum status status = buffer_view(&run->buffers[index][0], depth ? from_a : 0,
                                     run->buffers[index][0].bytes - (depth ? from_a : 0), &part->a, error);
    if (status == STATUS_OK)
        status = from == index
                     ? buffer_view(&run->buffers[index][1], 0, depth * shape.n * shape.element, &part->b, error)
                     : buffer_view(&run->scratch[index], landing(shape, count, from), depth * shape.n * shape.element,
                                   &part->b, error);
    if (status != STATUS_OK)
        return status;
    struct problem local = *run->problem;
    const struct buffer buffers[] = {part->a, part->b, run->buffers[index][2]};
    problem_set_size(&local, "m", (int64_t)rows);
    problem_set_size(&local, "k", (int64_t)depth);
    problem_set_size(&local, "lda_pad", (int64_t)(shape.k - depth));
    if (!first)
        problem_set_real(&local, "beta", 1);
    status = local_run_make(&part->product, &local, run->group->devices[index], buffers, error);
    if (status != STATUS_OK)
        return status;
    snprintf(run->detail, sizeof run->detail, "%s", part->product.prepared.run.rung->name);
    run->bound = part->product.bound > run->bound ? part->product.bound : run->bound;
    return STATUS_OK;
}

static enum status prepare(struct device_run *run, struct error *error)
{
    struct overlap *overlap = run->state = calloc(1, sizeof *overlap);
    if (!overlap)
        return fail(error, STATUS_UNAVAILABLE, "no memory");
    struct product_shape shape = overlap->shape = product_shape_of(run->problem);
    size_t count = run->group->count;
    enum status status = carrier_create(&overlap->carrier, CARRIER_PEERS, run, error);
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        bool first = true;
        for (size_t turn = 0; status == STATUS_OK && turn < count; turn++) {
            size_t from = source_of(i, turn, count);
            bool last = turn + 1 == count; /* with a depth of 0 the last product is beta times C */
            bool empty = b_begin(shape, count, from) == b_begin(shape, count, from + 1);
            if (a_begin(shape, count, i) == a_begin(shape, count, i + 1) || (empty && !(last && first)))
                continue;
            status = make_part(run, i, from, first, error);
            first = false;
        }
    }
    return status;
}

static void finish(struct device_run *run)
{
    struct overlap *overlap = run->state;
    for (size_t i = 0; overlap && i < GROUP_MAX; i++)
        for (size_t j = 0; j < GROUP_MAX; j++) {
            local_run_finish(&overlap->parts[i][j].product);
            buffer_release(&overlap->parts[i][j].a);
            buffer_release(&overlap->parts[i][j].b);
        }
    if (overlap)
        carrier_destroy(&overlap->carrier);
    free(overlap);
    run->state = NULL;
}

/* ---- running -------------------------------------------------------------------------------------------------- */

static enum status send_rows(struct device_run *run, size_t from, size_t to, struct error *error)
{
    struct overlap *overlap = run->state;
    const struct peer_copy copy = {.source = &run->buffers[from][1],
                                   .target = &run->scratch[to],
                                   .target_offset = landing(overlap->shape, run->group->count, from),
                                   .width = run->buffers[from][1].bytes,
                                   .rows = 1};
    return carrier_copy(&overlap->carrier, from, to, &copy, error);
}

static enum status multiply(struct device_run *run, size_t index, size_t from, struct error *error)
{
    struct overlap *overlap = run->state;
    enum status status = index == from ? STATUS_OK : carrier_arrive(&overlap->carrier, from, index, error);
    return status == STATUS_OK ? local_run_enqueue(&overlap->parts[index][from].product, error) : status;
}

static enum status enqueue(struct device_run *run, struct error *error)
{
    struct overlap *overlap = run->state;
    size_t count = run->group->count;
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < count; i++)
        status = carrier_begin(&overlap->carrier, i, error);
    for (size_t turn = 1; turn < count; turn++)
        for (size_t to = 0; status == STATUS_OK && to < count; to++)
            status = send_rows(run, source_of(to, turn, count), to, error);
    for (size_t turn = 0; turn < count; turn++)
        for (size_t i = 0; status == STATUS_OK && i < count; i++)
            status = multiply(run, i, source_of(i, turn, count), error);
    return status == STATUS_OK ? carrier_join(&overlap->carrier, error) : status;
}

const struct device_rung matmul_overlapped = {
    .name = "overlapped",
    .idea = N_("each device multiplies with its own rows of B while the others' travel, and adds their part then"),
    .needs = NEEDS_PEERS,
    .scratch = scratch,
    .prepare = prepare,
    .enqueue = enqueue,
    .finish = finish,
};
