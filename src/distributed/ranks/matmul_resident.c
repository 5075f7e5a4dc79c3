/* The product with the rows of A, B and C distributed over the memories of the ranks' devices. All ranks gather B, and
 * each multiplies its rows of A. Two methods differ in the transport of B. */
#include "distributed/matmul/matmul.h"
#include "distributed/ranks/resident.h"

static const char *refuses(const struct problem *problem, int count, char *reason, size_t size)
{
    (void)count;
    return product_refuses(problem, reason, size);
}

static enum status plan(struct method_run *run, struct error *error)
{
    struct resident *state = run->state;
    const struct array *a = &run->arrays[0], *b = &run->arrays[1];
    int count = run->ranks.count, rank = run->ranks.rank;
    size_t row = b->cols * element_info(run->problem->type)->bytes;
    struct place own = place_array(b, rank, count);
    for (int r = 0; r < count; r++) {
        state->send.bytes[r] = own.rows * row; /* the same rows to each rank */
        state->receive.bytes[r] = place_array(b, r, count).rows * row;
    }
    size_t all = rank_pieces_pack(&state->receive, count);
    enum status status = buffer_allocate(run->device, all, &state->received, error);
    struct problem local = *run->problem;
    size_t rows = place_array(a, rank, count).rows;
    problem_set_size(&local, "m", (int64_t)rows);
    const struct buffer buffers[] = {state->parts[0], count == 1 ? state->parts[1] : state->received, state->parts[2]};
    return status == STATUS_OK && rows > 0 ? local_run_make(&state->local, &local, run->device, buffers, error)
                                           : status;
}

static enum status prepare(struct method_run *run, struct error *error)
{
    enum status status = resident_begin(run, sizeof(struct resident), error);
    return status == STATUS_OK ? plan(run, error) : status;
}

static enum status run_once(struct method_run *run, struct error *error)
{
    struct resident *state = run->state;
    enum status status = STATUS_OK;
    if (run->ranks.count > 1)
        status = resident_exchange(run, &state->parts[1], &state->send, &state->received, &state->receive, error);
    if (status == STATUS_OK)
        status = local_run_enqueue(&state->local, error);
    return status == STATUS_OK ? device_synchronize(run->device, error) : status;
}

static struct traffic traffic(const struct problem *problem, int count)
{
    const double m = (double)problem_size(problem, "m"), k = (double)problem_size(problem, "k");
    const double bytes = k * (double)problem_size(problem, "n") * (double)element_info(problem->type)->bytes;
    return (struct traffic){.work = largest_share(m, count),
                            .of[OPERATION_EXCHANGE] = {count > 1, largest_share(k, count) * bytes * (count - 1)}};
}

RESIDENT_METHODS(matmul, "rows of A, B and C in the devices' memory; B is gathered through host memory and MPI",
                 "as resident; NCCL gathers B from device to device", .refuses = refuses, .place = place_by_rows,
                 .begin = prepare, .end = resident_end, .run = run_once, .traffic = traffic);
