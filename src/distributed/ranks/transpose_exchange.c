/* The transpose of a matrix whose rows are distributed. Each rank transposes its rows, so that the elements for another
 * rank are contiguous. After one all-to-all exchange, the received elements are written into the result's rows, and the
 * own ones from where they were transposed. */
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "distributed/ranks/method.h"

struct state {
    void *transposed; /* this rank's rows, transposed: cols × own rows */
    void *received;   /* from every other rank r: own columns × rank r's rows */
    const char *own;  /* the same from this rank, within `transposed` */
    struct rank_pieces send, receive;
};

static enum status prepare(struct method_run *run, struct error *error)
{
    int count = run->ranks.count, rank = run->ranks.rank;
    size_t bytes = element_info(run->problem->type)->bytes;
    struct place own = place_array(&run->arrays[0], rank, count), result = place_array(&run->arrays[1], rank, count);
    struct state *state = run->state = calloc(1, sizeof *state);
    if (!state || !rank_pieces_make(&state->send, count) || !rank_pieces_make(&state->receive, count))
        return fail(error, STATUS_UNAVAILABLE, "no memory");
    for (int r = 0; r < count; r++) {
        state->send.bytes[r] = place_array(&run->arrays[1], r, count).rows * own.rows * bytes;
        state->receive.bytes[r] = result.rows * place_array(&run->arrays[0], r, count).rows * bytes;
    }
    enum status status = method_allocate(&state->transposed, rank_pieces_pack(&state->send, count), error);
    state->own = status == STATUS_OK ? (char *)state->transposed + state->send.offsets[rank] : NULL;
    state->send.bytes[rank] = state->receive.bytes[rank] = 0;
    if (status == STATUS_OK)
        status = method_allocate(&state->received, rank_pieces_pack(&state->receive, count), error);
    state->send.data = state->transposed;
    state->receive.data = state->received;
    return status;
}

static void finish(struct method_run *run)
{
    struct state *state = run->state;
    if (!state)
        return;
    free(state->transposed);
    free(state->received);
    rank_pieces_free(&state->send);
    rank_pieces_free(&state->receive);
    free(state);
    run->state = NULL;
}

#define NARROW(width)                                                \
    case width:                                                      \
        for (size_t row = 0; row < rows; row++)                      \
            memcpy(to + row * pitch, from + row * (width), (width)); \
        break

/* Spreads rows of `width` bytes. A call of memcpy for a few bytes takes longer than they do: the compiler knows how
 * many the usual narrow rows have. */
static void spread(char *to, size_t pitch, const char *from, size_t width, size_t rows)
{
    switch (width) {
        NARROW(1);
        NARROW(2);
        NARROW(4);
        NARROW(8);
        NARROW(12);
        NARROW(16);
        NARROW(24);
        NARROW(32);
        NARROW(64);
    default:
        for (size_t row = 0; row < rows; row++)
            memcpy(to + row * pitch, from + row * width, width);
    }
}

#define ROWS_AT_ONCE ((size_t)256) /* their lines stay in the cache while all ranks' pieces are written to them */

/* Copies the received pieces into the result's rows. The row length of a piece depends on its sender. */
static void unpack(const struct method_run *run, const struct state *state)
{
    const int count = run->ranks.count;
    const size_t bytes = element_info(run->problem->type)->bytes, pitch = run->arrays[1].cols * bytes;
    const size_t all = place_array(&run->arrays[1], run->ranks.rank, count).rows;
#pragma omp parallel for schedule(static)
    for (size_t row = 0; row < all; row += ROWS_AT_ONCE)
        for (int r = 0; r < count; r++) {
            const struct place from = place_array(&run->arrays[0], r, count);
            const char *piece = r == run->ranks.rank ? state->own : (char *)state->received + state->receive.offsets[r];
            spread((char *)run->parts[1] + row * pitch + from.row * bytes, pitch, piece + row * from.rows * bytes,
                   from.rows * bytes, size_least(ROWS_AT_ONCE, all - row));
        }
}

static enum status run_once(struct method_run *run, struct error *error)
{
    struct state *state = run->state;
    struct place own = place_array(&run->arrays[0], run->ranks.rank, run->ranks.count);
    struct problem local = *run->problem;
    enum status status = STATUS_OK;
    problem_set_size(&local, "rows", (int64_t)own.rows);
    void *target = run->ranks.count == 1 ? run->parts[1] : state->transposed;
    if (own.rows > 0 && own.cols > 0)
        status = method_compute(run, &local, (void *[]){run->parts[0], target}, error);
    if (run->ranks.count == 1)
        return status;
    struct error later;
    enum status exchanged = ranks_exchange(&run->ranks, &state->send, &state->receive, &later);
    unpack(run, state);
    return method_outcome(status, error, exchanged, &later);
}

/* Received elements are written once more, in about the time of a transpose of as many. */
static struct traffic traffic(const struct problem *problem, int count)
{
    const double rows = (double)problem_size(problem, "rows"), cols = (double)problem_size(problem, "cols");
    const double own = largest_share(rows, count), bytes = rows * cols * (double)element_info(problem->type)->bytes;
    if (count == 1)
        return (struct traffic){.work = 1};
    return (struct traffic){.work = own + largest_share(cols, count),
                            .of[OPERATION_EXCHANGE] = {1, own * bytes * (1 - largest_share(cols, count))}};
}

const struct method method_transpose_exchange = {
    .kernel = "transpose",
    .name = "exchange",
    .idea = "each rank transposes its rows; one exchange of all with all",
    .place = place_by_rows,
    .begin = prepare,
    .end = finish,
    .run = run_once,
    .traffic = traffic,
};
