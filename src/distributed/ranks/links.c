#include "distributed/ranks/links.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/size.h"
#include "base/statistics.h"
#include "distributed/ranks/method.h"

const size_t link_sizes[LINK_SIZES] = {8, 2048, 32768, (size_t)1 << 18, (size_t)1 << 20, (size_t)1 << 22};

#define ROUNDS_MOST 25
#define ROUNDS_LEAST 3
#define PATIENCE_MOST 5 /* for one size whose rounds differ, times the seconds of all operations */

/* Memory for an operation's messages. */
struct probe {
    const struct ranks *ranks;
    double seconds;  /* of all operations, about */
    double patience; /* ns for the rounds of one size */
    char *from, *to;
    struct rank_pieces send, receive;
};

/* ---- operations ------------------------------------------------------------------------------------------------ */

typedef enum status operate(struct probe *probe, size_t bytes, struct error *error);

static enum status reduce(struct probe *probe, size_t bytes, struct error *error)
{
    return ranks_sum_to_all(probe->ranks, (uint64_t *)(void *)probe->from, bytes / sizeof(uint64_t), error);
}

static enum status exchange(struct probe *probe, size_t bytes, struct error *error)
{
    const struct ranks *ranks = probe->ranks;
    for (int r = 0; r < ranks->count; r++)
        probe->send.bytes[r] = probe->receive.bytes[r] =
            r == ranks->rank ? 0 : size_least(bytes, bytes / (size_t)(ranks->count - 1) + 1);
    rank_pieces_pack(&probe->send, ranks->count);
    rank_pieces_pack(&probe->receive, ranks->count);
    probe->send.data = probe->from;
    probe->receive.data = probe->to;
    return ranks_exchange(ranks, &probe->send, &probe->receive, error);
}

/* Messages to and from one rank or two; all under way at once. */
struct talk {
    int to[2], from[2], count;
};

static enum status talk(struct probe *probe, const struct talk *talk, size_t bytes, bool sends, bool receives,
                        struct error *error)
{
    void *messages[4] = {NULL};
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && receives && i < talk->count; i++)
        status = ranks_receive(probe->ranks, probe->to + (size_t)i * bytes, bytes, talk->from[i], &messages[i], error);
    for (int i = 0; status == STATUS_OK && sends && i < talk->count; i++)
        status = ranks_send(probe->ranks, probe->from, bytes, talk->to[i], &messages[2 + i], error);
    struct error later;
    return method_outcome(status, error, ranks_wait(probe->ranks, messages, COUNT_OF(messages), &later), &later);
}

/* A message to the partner and back; a rank without one rests. */
static enum status there_and_back(struct probe *probe, int partner, size_t bytes, struct error *error)
{
    const struct talk one = {.to = {partner}, .from = {partner}, .count = 1};
    const bool begins = probe->ranks->rank < partner;
    if (partner < 0)
        return STATUS_OK;
    enum status status = talk(probe, &one, bytes, begins, !begins, error);
    return status == STATUS_OK ? talk(probe, &one, bytes, !begins, begins, error) : status;
}

static enum status near(struct probe *probe, size_t bytes, struct error *error)
{
    const int partner = probe->ranks->rank ^ 1;
    return there_and_back(probe, partner < probe->ranks->count ? partner : -1, bytes, error);
}

static enum status far(struct probe *probe, size_t bytes, struct error *error)
{
    const int half = probe->ranks->count / 2, rank = probe->ranks->rank;
    return there_and_back(probe, rank < half ? rank + half : rank < 2 * half ? rank - half : -1, bytes, error);
}

/* Of each rank with those `distance` before and after it. */
static enum status ring_of(struct probe *probe, int distance, size_t bytes, struct error *error)
{
    const int count = probe->ranks->count, rank = probe->ranks->rank;
    const int below = (rank + count - distance) % count, above = (rank + distance) % count;
    return talk(probe, &(struct talk){.to = {below, above}, .from = {above, below}, .count = 2}, bytes, true, true,
                error);
}

static enum status ring(struct probe *probe, size_t bytes, struct error *error)
{
    return ring_of(probe, 1, bytes, error);
}

static enum status far_ring(struct probe *probe, size_t bytes, struct error *error)
{
    return ring_of(probe, probe->ranks->count / 2, bytes, error);
}

static const struct {
    operate *once;
    double messages; /* that follow one another in it */
} operations[OPERATION_KINDS] = {
    [OPERATION_REDUCE] = {reduce, 1}, [OPERATION_EXCHANGE] = {exchange, 1}, [OPERATION_NEAR] = {near, 2},
    [OPERATION_FAR] = {far, 2},       [OPERATION_RING] = {ring, 1},         [OPERATION_FAR_RING] = {far_ring, 1},
};

/* ---- timing ---------------------------------------------------------------------------------------------------- */

/* The slowest rank's time of one operation, on every rank. */
static enum status time_round(struct probe *probe, enum mpi_operation kind, size_t bytes, double *slowest,
                              struct error *error)
{
    enum status status = ranks_barrier(probe->ranks, error);
    const int64_t begin = clock_now();
    if (status == STATUS_OK)
        status = operations[kind].once(probe, bytes, error);
    *slowest = (double)(clock_now() - begin) / operations[kind].messages;
    return status == STATUS_OK ? ranks_largest(probe->ranks, slowest, error) : status;
}

/* Whether the standard error of their mean is a twentieth of it, or more. Over TCP an exchange takes the time of one
 * direction, of both, or any between: 39 … 74 ms were measured on four ranks of two hosts. */
static bool is_uncertain(const double *times, size_t rounds)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < rounds; i++)
        sum += times[i];
    const double mean = sum / (double)rounds;
    for (size_t i = 0; i < rounds; i++)
        squares += (times[i] - mean) * (times[i] - mean);
    return sqrt(squares) / (double)rounds > 0.05 * mean;
}

/* The median of as many rounds as fit the time; of more where they differ much. All ranks decide by the same times. */
static enum status time_operation(struct probe *probe, enum mpi_operation kind, size_t bytes, double *median,
                                  struct error *error)
{
    double times[ROUNDS_MOST], used = 0;
    size_t rounds = 0;
    enum status status = time_round(probe, kind, bytes, &times[0], error); /* the first is not counted */
    while (status == STATUS_OK && rounds < ROUNDS_MOST &&
           (rounds < ROUNDS_LEAST || used < probe->patience ||
            (used < PATIENCE_MOST * probe->seconds * 1e9 && is_uncertain(times, rounds)))) {
        status = time_round(probe, kind, bytes, &times[rounds], error);
        used += times[rounds++];
    }
    *median = status == STATUS_OK ? statistics_median(times, rounds) : 0;
    return status;
}

/* Computes for so long, without a call of MPI. */
static void compute(const char *memory, double nanoseconds)
{
    volatile char seen = 0;
    for (const int64_t begin = clock_now(); (double)(clock_now() - begin) < nanoseconds;)
        for (size_t i = 0; i < 4096; i++)
            seen = (char)(seen + memory[i]);
}

/* How much of a ring's messages travels during a computation that takes as long. */
static enum status measure_progress(struct probe *probe, struct links *links, struct error *error)
{
    const size_t last = LINK_SIZES - 2, bytes = link_sizes[last];
    const double whole = links->ns[OPERATION_RING][last];
    double waits[ROUNDS_LEAST] = {0};
    enum status status = STATUS_OK;
    const int count = probe->ranks->count, rank = probe->ranks->rank;
    const int below = (rank + count - 1) % count, above = (rank + 1) % count;
    for (size_t i = 0; status == STATUS_OK && i < ROUNDS_LEAST; i++) {
        void *messages[4] = {NULL};
        status = ranks_barrier(probe->ranks, error);
        if (status == STATUS_OK)
            status = ranks_receive(probe->ranks, probe->to, bytes, above, &messages[0], error);
        if (status == STATUS_OK)
            status = ranks_receive(probe->ranks, probe->to + bytes, bytes, below, &messages[1], error);
        if (status == STATUS_OK)
            status = ranks_send(probe->ranks, probe->from, bytes, below, &messages[2], error);
        if (status == STATUS_OK)
            status = ranks_send(probe->ranks, probe->from, bytes, above, &messages[3], error);
        compute(probe->from, whole);
        const int64_t begin = clock_now();
        struct error later;
        status = method_outcome(status, error, ranks_wait(probe->ranks, messages, COUNT_OF(messages), &later), &later);
        waits[i] = (double)(clock_now() - begin);
    }
    for (size_t i = 0; status == STATUS_OK && i < ROUNDS_LEAST; i++)
        status = ranks_largest(probe->ranks, &waits[i], error);
    const double wait = status == STATUS_OK ? statistics_median(waits, ROUNDS_LEAST) : whole;
    links->progress = whole > 0 && wait < whole ? 1 - wait / whole : 0;
    return status;
}

static enum status count_on_host(const struct ranks *ranks, struct links *links, struct error *error)
{
    struct ranks host;
    enum status status = ranks_on_host(ranks, &host, error);
    double most = host.count;
    ranks_free(&host);
    if (status == STATUS_OK)
        status = ranks_largest(ranks, &most, error);
    links->on_host = (int)most;
    return status;
}

enum status links_measure(const struct ranks *ranks, double seconds, struct links *links, struct error *error)
{
    const size_t most = 2 * link_sizes[LINK_SIZES - 1] + (size_t)ranks->count;
    struct probe probe = {
        .ranks = ranks, .seconds = seconds, .patience = seconds * 1e9 / (OPERATION_KINDS * LINK_SIZES)};
    *links = (struct links){0};
    if (ranks->count < 2)
        return STATUS_OK;
    enum status status = method_allocate((void **)&probe.from, most, error);
    if (status == STATUS_OK)
        status = method_allocate((void **)&probe.to, most, error);
    if (status == STATUS_OK &&
        (!rank_pieces_make(&probe.send, ranks->count) || !rank_pieces_make(&probe.receive, ranks->count)))
        status = fail(error, STATUS_UNAVAILABLE, "no memory");
    status = ranks_agree(ranks, status, error);
    if (status == STATUS_OK) {
        memset(probe.from, 0, most);
        memset(probe.to, 0, most);
    }
    for (int kind = 0; kind < OPERATION_KINDS; kind++)
        for (size_t i = 0; status == STATUS_OK && i < LINK_SIZES; i++)
            status = time_operation(&probe, (enum mpi_operation)kind, link_sizes[i], &links->ns[kind][i], error);
    if (status == STATUS_OK)
        status = measure_progress(&probe, links, error);
    if (status == STATUS_OK)
        status = count_on_host(ranks, links, error);
    free(probe.from);
    free(probe.to);
    rank_pieces_free(&probe.send);
    rank_pieces_free(&probe.receive);
    links->ranks = status == STATUS_OK ? ranks->count : 0;
    return status == STATUS_OK ? ranks_broadcast(ranks, links, sizeof *links, 0, error) : status;
}

double links_time(const struct links *links, enum mpi_operation operation, double bytes)
{
    const double *ns = links->ns[operation];
    size_t i = 1;
    if (bytes <= (double)link_sizes[0])
        return ns[0];
    while (i + 1 < LINK_SIZES && (double)link_sizes[i] < bytes)
        i++;
    const double from = (double)link_sizes[i - 1], to = (double)link_sizes[i];
    const double slope = (ns[i] - ns[i - 1]) / (to - from);
    return ns[i - 1] + (slope > 0 ? slope : 0) * (bytes - from);
}
