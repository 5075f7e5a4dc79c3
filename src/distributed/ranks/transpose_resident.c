/* The transpose of `exchange`, with the parts in the memory of each rank's device. The elements for another rank are
 * one piece of the transposed rows; received pieces are copied into the result's rows. Two methods differ in the
 * transport of the pieces. */
#include "distributed/ranks/resident.h"
#include "distributed/transpose/tiles.h"

/* Whether every piece and each of its rows begin at multiples of 16 bytes. */
static bool is_wide(const struct method_run *run)
{
    size_t bytes = element_info(run->problem->type)->bytes;
    bool wide = true;
    for (int i = 0; i < run->array_count; i++)
        for (int r = 0; r < run->ranks.count; r++)
            wide = wide && place_array(&run->arrays[i], r, run->ranks.count).rows * bytes % 16 == 0;
    return wide;
}

/* Plans the pieces that are sent and received; they lie one after another. A rank sends nothing to itself. */
static enum status plan(struct method_run *run, struct error *error)
{
    struct resident *state = run->state;
    int count = run->ranks.count, rank = run->ranks.rank;
    size_t bytes = element_info(run->problem->type)->bytes;
    size_t own = place_array(&run->arrays[0], rank, count).rows,
           result = place_array(&run->arrays[1], rank, count).rows;
    for (int r = 0; r < count; r++) {
        state->send.bytes[r] = place_array(&run->arrays[1], r, count).rows * own * bytes;
        state->receive.bytes[r] = result * place_array(&run->arrays[0], r, count).rows * bytes;
    }
    enum status status = buffer_allocate(run->device, rank_pieces_pack(&state->send, count), &state->sent, error);
    if (status == STATUS_OK)
        status = buffer_allocate(run->device, rank_pieces_pack(&state->receive, count), &state->received, error);
    state->send.bytes[rank] = state->receive.bytes[rank] = 0;
    struct tiles tiles;
    tiles_describe(bytes, is_wide(run), &tiles);
    if (status == STATUS_OK && count > 1)
        status = program_build(run->device, &tiles.source, &state->program, error);
    struct problem local = *run->problem;
    problem_set_size(&local, "rows", (int64_t)own);
    const struct buffer buffers[] = {state->parts[0], count == 1 ? state->parts[1] : state->sent};
    if (status == STATUS_OK && own > 0 && run->arrays[0].cols > 0)
        status = local_run_make(&state->local, &local, run->device, buffers, error);
    return status;
}

static enum status prepare(struct method_run *run, struct error *error)
{
    enum status status = resident_begin(run, sizeof(struct resident), error);
    return status == STATUS_OK ? plan(run, error) : status;
}

/* Copies the pieces into the result's rows, one after another. The row length of a piece depends on its sender. */
static enum status unpack(const struct method_run *run, struct error *error)
{
    const struct resident *state = run->state;
    int count = run->ranks.count, rank = run->ranks.rank;
    size_t bytes = element_info(run->problem->type)->bytes;
    enum status status = STATUS_OK;
    for (int r = 0; status == STATUS_OK && r < count; r++) {
        struct place from = place_array(&run->arrays[0], r, count);
        const struct rectangle rectangle = {.in = r == rank ? &state->sent : &state->received,
                                            .in_at = (r == rank ? state->send.offsets[r] : state->receive.offsets[r]) /
                                                     bytes,
                                            .in_pitch = from.rows,
                                            .out = &state->parts[1],
                                            .out_at = from.row,
                                            .out_pitch = run->arrays[1].cols,
                                            .rows = place_array(&run->arrays[1], rank, count).rows,
                                            .cols = from.rows};
        status = tiles_place(state->program, &rectangle, error);
    }
    return status;
}

static enum status run_once(struct method_run *run, struct error *error)
{
    struct resident *state = run->state;
    struct error later;
    enum status status = local_run_enqueue(&state->local, error);
    const bool waits = !state->nccl; /* NCCL's exchange is enqueued behind it */
    if (status == STATUS_OK && waits)
        status = device_synchronize(run->device, error);
    if (run->ranks.count == 1)
        return status;
    enum status exchanged =
        resident_exchange(run, &state->sent, &state->send, &state->received, &state->receive, &later);
    status = method_outcome(status, error, exchanged, &later);
    if (status == STATUS_OK)
        status = unpack(run, error);
    return status == STATUS_OK ? device_synchronize(run->device, error) : status;
}

static struct traffic traffic(const struct problem *problem, int count)
{
    return method_transpose_exchange.traffic(problem, count);
}

RESIDENT_METHODS(transpose,
                 "as exchange, with the parts in the devices' memory; the pieces pass through host memory and MPI",
                 "as resident; NCCL carries the pieces from device to device", .place = place_by_rows, .begin = prepare,
                 .end = resident_end, .run = run_once, .traffic = traffic);
