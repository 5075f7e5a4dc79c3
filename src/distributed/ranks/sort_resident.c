/* The sort with the keys in the memory of each rank's device. Each sorts its part; a kernel that counts finds exact
 * splitters; the received runs are merged. Two methods differ in the transport of the runs. With NCCL they travel in
 * pieces of the result, and one is merged while the next travels, as in distributed/sort/. */
#include <stdlib.h>

#include "base/clock.h"
#include "base/size.h"
#include "distributed/ranks/rank_nccl.h"
#include "distributed/ranks/resident.h"
#include "distributed/ranks/sort_parts.h"
#include "distributed/sort/merger.h"
#include "distributed/sort/sort.h"

#define TALLY_GROUP 64
#define DIGIT 8 /* bits: so many searches cost a device no more than few, and a round costs it a wait */

struct state {
    struct resident resident;
    size_t pieces;
    bool merges;               /* false: kernels here cannot have addresses, and what was received is sorted again */
    struct device_group alone; /* this rank's device, for addresses */
    struct buffer sorted, arrived, merged, keys, counts;
    int64_t sorted_at, arrived_at, merged_at, result_at; /* addresses */
    struct merger merger;
    struct splitters splitters;
    struct rank_pieces send[SORT_PIECES], receive[SORT_PIECES];
    struct queue *carrying; /* beside the device's own; NULL: it has one queue */
    struct event *arrivals[SORT_PIECES], *began;
    struct sorted_run *runs;
};

static size_t own_elements(const struct method_run *run)
{
    return sort_part(run->arrays[0].cols, run->ranks.rank, run->ranks.count);
}

/* The first element of a piece of a rank's result, counted from the rank's first. */
static size_t piece_begin(const struct method_run *run, int rank, size_t piece)
{
    const struct state *state = run->state;
    return sort_piece_begin(sort_part(run->arrays[0].cols, rank, run->ranks.count), state->pieces, piece);
}

/* ---- preparing ------------------------------------------------------------------------------------------------ */

static enum status make_splitters(struct method_run *run, struct error *error)
{
    struct state *state = run->state;
    int count = run->ranks.count;
    size_t splitters = (size_t)count * state->pieces - 1;
    enum status status = splitters_make(&state->splitters, splitters,
                                        8 * (unsigned)element_info(run->problem->type)->bytes, DIGIT, error);
    for (size_t s = 0; status == STATUS_OK && s < splitters; s++) {
        int rank = (int)(s / state->pieces);
        state->splitters.wanted[s] =
            sort_part_begin(run->arrays[0].cols, rank, count) + piece_begin(run, rank, s % state->pieces + 1);
    }
    if (status == STATUS_OK)
        status = buffer_allocate(run->device, splitters * sizeof(uint64_t), &state->keys, error);
    return status == STATUS_OK
               ? buffer_allocate(run->device, (splitters << DIGIT) * sizeof(uint64_t), &state->counts, error)
               : status;
}

static enum status make_rooms(struct method_run *run, struct error *error)
{
    struct state *state = run->state;
    struct {
        struct buffer *buffer;
        int64_t *at;
    } const rooms[] = {{&state->sorted, &state->sorted_at},
                       {&state->arrived, &state->arrived_at},
                       {&state->merged, &state->merged_at}};
    enum status status = STATUS_OK;
    state->merges = group_of_one(run->device, &state->alone, NULL) == STATUS_OK &&
                    group_address(&state->alone, 0, &state->resident.parts[0], &state->result_at, NULL) == STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < COUNT_OF(rooms); i++) {
        status = buffer_allocate(run->device, state->resident.bytes[0], rooms[i].buffer, error);
        if (status == STATUS_OK && state->merges)
            status = group_address(&state->alone, 0, rooms[i].buffer, rooms[i].at, error);
    }
    return status == STATUS_OK ? merger_make(&state->merger, run->device, run->problem->type, own_elements(run), error)
                               : status;
}

static enum status make_transport(struct method_run *run, struct error *error)
{
    struct state *state = run->state;
    int count = run->ranks.count;
    enum status status = event_create_untimed(run->device, &state->began, error);
    if (queue_create(run->device, &state->carrying, NULL) != STATUS_OK)
        state->carrying = NULL;
    state->runs = calloc((size_t)count, sizeof *state->runs);
    for (size_t p = 0; status == STATUS_OK && p < state->pieces; p++) {
        if (!state->runs || !rank_pieces_make(&state->send[p], count) || !rank_pieces_make(&state->receive[p], count))
            return fail(error, STATUS_UNAVAILABLE, "no memory");
        status = event_create_untimed(run->device, &state->arrivals[p], error);
    }
    return status;
}

static enum status prepare(struct method_run *run, struct error *error)
{
    enum status status = resident_begin(run, sizeof(struct state), error);
    if (status != STATUS_OK)
        return status;
    struct state *state = run->state;
    size_t own = own_elements(run);
    const struct buffer *keys = &state->resident.parts[0];
    struct problem local = *run->problem;
    state->pieces = state->resident.nccl ? SORT_PIECES : 1;
    problem_set_size(&local, "n", (int64_t)own);
    bool alone = run->ranks.count == 1;
    if (!alone) {
        status = make_splitters(run, error);
        if (status == STATUS_OK)
            status = make_rooms(run, error);
        if (status == STATUS_OK)
            status = make_transport(run, error);
    }
    if (status == STATUS_OK && own > 0)
        status = local_run_make(&state->resident.local, &local, run->device, alone ? keys : &state->sorted, error);
    if (status == STATUS_OK && own > 0 && !alone)
        local_run_read_from(&state->resident.local, keys);
    return status;
}

static void finish(struct method_run *run)
{
    struct state *state = run->state;
    if (!state)
        return;
    merger_free(&state->merger);
    for (size_t p = 0; p < SORT_PIECES; p++) {
        rank_pieces_free(&state->send[p]);
        rank_pieces_free(&state->receive[p]);
        event_destroy(state->arrivals[p]);
    }
    event_destroy(state->began);
    queue_destroy(state->carrying);
    buffer_release(&state->sorted);
    buffer_release(&state->arrived);
    buffer_release(&state->merged);
    buffer_release(&state->keys);
    buffer_release(&state->counts);
    splitters_free(&state->splitters);
    group_of_one_end(&state->alone);
    free(state->runs);
    resident_end(run);
}

/* ---- splitters ------------------------------------------------------------------------------------------------ */

static enum status tally(void *context, const struct splitter_round *round, uint64_t *counts, struct error *error)
{
    struct method_run *run = context;
    struct state *state = run->state;
    const size_t count = round->splitters * round->each;
    struct argument_value arguments[8 + MERGER_ORDER_ARGUMENTS] = {
        {ARGUMENT_BUFFER, {.buffer = &state->sorted}},    {ARGUMENT_LONG, {.long_value = (int64_t)own_elements(run)}},
        {ARGUMENT_BUFFER, {.buffer = &state->keys}},      {ARGUMENT_BUFFER, {.buffer = &state->counts}},
        {ARGUMENT_INT, {.int_value = (int32_t)count}},    {ARGUMENT_INT, {.int_value = (int32_t)round->each}},
        {ARGUMENT_INT, {.int_value = (int)round->shift}}, {ARGUMENT_INT, {.int_value = round->last}},
    };
    merger_order_arguments(&state->merger, &arguments[8]);
    const struct launch launch = {.entry = "tally",
                                  .rank = 1,
                                  .group = {TALLY_GROUP, 1, 1},
                                  .groups = {(count + TALLY_GROUP - 1) / TALLY_GROUP, 1, 1},
                                  .arguments = arguments,
                                  .argument_count = COUNT_OF(arguments)};
    enum status status = buffer_write(&state->keys, 0, round->keys, round->splitters * sizeof *round->keys, error);
    if (status == STATUS_OK)
        status = program_launch(state->merger.program, &launch, error);
    return status == STATUS_OK ? buffer_read(&state->counts, 0, counts, count * sizeof *counts, error) : status;
}

/* ---- running -------------------------------------------------------------------------------------------------- */

/* The messages of one piece of all ranks' results, and the runs of this rank's. Its own run is merged where it lies;
 * the others' land where the piece is in the result, one after another. */
static enum status plan(struct method_run *run, size_t piece, struct error *error)
{
    struct state *state = run->state;
    struct rank_pieces *send = &state->send[piece], *receive = &state->receive[piece];
    int count = run->ranks.count, rank = run->ranks.rank;
    size_t own = own_elements(run), bytes = element_info(run->problem->type)->bytes;
    size_t at = piece_begin(run, rank, piece) * bytes;
    for (int r = 0; r < count; r++) {
        struct sort_range out = sort_range(&state->splitters, own, r, state->pieces, piece);
        send->offsets[r] = out.begin * bytes;
        send->bytes[r] = (out.end - out.begin) * bytes;
    }
    enum status status = ranks_all_to_all(&run->ranks, send->bytes, sizeof *send->bytes, receive->bytes, error);
    receive->bytes[rank] = send->bytes[rank];
    for (int r = 0; r < count; r++) {
        receive->offsets[r] = at;
        at += receive->bytes[r];
    }
    send->bytes[rank] = receive->bytes[rank] = 0;
    return status;
}

static enum status merge(struct method_run *run, size_t piece, struct error *error)
{
    struct state *state = run->state;
    int count = run->ranks.count, rank = run->ranks.rank;
    size_t bytes = element_info(run->problem->type)->bytes;
    int64_t begin = (int64_t)(piece_begin(run, rank, piece) * bytes);
    const int64_t rooms[2] = {state->merged_at + begin, state->arrived_at + begin};
    const struct sort_range own = sort_range(&state->splitters, own_elements(run), rank, state->pieces, piece);
    for (int r = 0; r < count; r++)
        state->runs[r] = r == rank
                             ? (struct sorted_run){state->sorted_at + (int64_t)(own.begin * bytes), own.end - own.begin}
                             : (struct sorted_run){state->arrived_at + (int64_t)state->receive[piece].offsets[r],
                                                   state->receive[piece].bytes[r] / bytes};
    return merger_merge(&state->merger, state->runs, (size_t)count, rooms, state->result_at + begin, error);
}

/* Enqueues all exchanges beside the device's own queue, even after a failure, or the others would wait for them. */
static enum status exchange_by_nccl(struct method_run *run, struct error *error)
{
    struct state *state = run->state;
    enum status status = event_record(state->began, error);
    queue_select(run->device, state->carrying, NULL);
    if (status == STATUS_OK && state->carrying)
        status = queue_wait(state->began, error);
    for (size_t p = 0; p < state->pieces && status != STATUS_SYSTEM; p++) {
        struct error later;
        enum status sent = rank_nccl_exchange(state->resident.nccl, &state->sorted, &state->send[p], &state->arrived,
                                              &state->receive[p], &later);
        status = method_outcome(status, error, sent, &later);
        if (status == STATUS_OK)
            status = event_record(state->arrivals[p], error);
    }
    queue_select(run->device, NULL, NULL);
    return status;
}

/* Waits for the exchanges, so that their time counts as communication. */
static enum status wait_for_nccl(struct method_run *run, int64_t since, struct error *error)
{
    struct state *state = run->state;
    queue_select(run->device, state->carrying, NULL);
    enum status status = rank_nccl_wait(state->resident.nccl, error);
    queue_select(run->device, NULL, NULL);
    if (run->ranks.communication)
        run->ranks.communication->nanoseconds += clock_now() - since;
    return status;
}

static enum status join_by_nccl(struct method_run *run, struct error *error)
{
    struct state *state = run->state;
    struct error later;
    int64_t since = clock_now();
    enum status status = exchange_by_nccl(run, error);
    for (size_t p = 0; status == STATUS_OK && p < state->pieces; p++) {
        status = queue_wait(state->arrivals[p], error);
        if (status == STATUS_OK)
            status = merge(run, p, error);
    }
    return status == STATUS_SYSTEM ? status : method_outcome(status, error, wait_for_nccl(run, since, &later), &later);
}

/* Puts this rank's own run beside the received ones, and sorts them all. */
static enum status sort_again(struct method_run *run, struct error *error)
{
    struct state *state = run->state;
    const struct buffer *keys = &state->resident.parts[0];
    size_t bytes = element_info(run->problem->type)->bytes;
    struct sort_range own = sort_range(&state->splitters, own_elements(run), run->ranks.rank, state->pieces, 0);
    enum status status = buffer_copy(&state->arrived, state->receive[0].offsets[run->ranks.rank], &state->sorted,
                                     own.begin * bytes, (own.end - own.begin) * bytes, error);
    if (status == STATUS_OK)
        status = buffer_copy(keys, 0, &state->arrived, 0, keys->bytes, error);
    if (status == STATUS_OK)
        status = local_run_enqueue(&state->resident.local, error);
    return status == STATUS_OK ? buffer_copy(keys, 0, &state->sorted, 0, keys->bytes, error) : status;
}

static enum status join_through_host(struct method_run *run, struct error *error)
{
    struct state *state = run->state;
    enum status status =
        resident_exchange(run, &state->sorted, &state->send[0], &state->arrived, &state->receive[0], error);
    if (status != STATUS_OK)
        return status;
    return state->merges ? merge(run, 0, error) : sort_again(run, error);
}

static enum status run_once(struct method_run *run, struct error *error)
{
    struct state *state = run->state;
    enum status status = local_run_enqueue(&state->resident.local, error);
    if (status == STATUS_OK)
        status = device_synchronize(run->device, error);
    if (run->ranks.count == 1)
        return status;
    status = ranks_agree(&run->ranks, status, error);
    if (status == STATUS_OK)
        status = splitters_find(&state->splitters, &run->ranks, tally, run, error);
    for (size_t p = 0; status == STATUS_OK && p < state->pieces; p++)
        status = plan(run, p, error);
    if (status == STATUS_OK)
        status = state->resident.nccl ? join_by_nccl(run, error) : join_through_host(run, error);
    return status == STATUS_OK ? device_synchronize(run->device, error) : status;
}

/* Merges, one sweep over the keys for each halving of the runs, are hidden by NCCL's exchange. A radix sort sweeps them
 * once for each byte, and once to count. */
static struct traffic traffic(const struct problem *problem, int count)
{
    const double n = (double)problem_size(problem, "n"), element = (double)element_info(problem->type)->bytes;
    const double own = largest_share(n, count), splitters = SORT_PIECES * count - 1;
    if (count == 1)
        return (struct traffic){.work = 1};
    return (struct traffic){.work = own,
                            .of[OPERATION_REDUCE] = {element + 3, 8 * splitters * (1 << DIGIT)},
                            .of[OPERATION_EXCHANGE] = {1, own * n * element * (count - 1) / count}};
}

RESIDENT_METHODS(
    sort, "as splitters, with the keys in the devices' memory; they pass through host memory and MPI, and are merged",
    "as resident; NCCL carries the keys from device to device, in six pieces that are merged as they come",
    .place = sort_place, .begin = prepare, .end = finish, .run = run_once, .traffic = traffic);
