#include "distributed/ranks/links.h"

#include "base/clock.h"
#include "base/statistics.h"
#include "distributed/ranks/rank_nccl.h"

#define LONG_BYTES ((size_t)256 << 20) /* of a rank: to all of them together */
#define SHORT_BYTES ((size_t)8)        /* to each */
#define ROUNDS 15
#define WARM_UPS 3

struct exchange {
    struct rank_nccl *nccl;
    struct buffer from, to;
    struct rank_pieces pieces; /* sent, and received */
};

/* The median of the exchanges of so many bytes with every other rank. */
static enum status time_exchanges(struct exchange *exchange, const struct ranks *ranks, size_t bytes, double *median,
                                  struct error *error)
{
    double taken[ROUNDS];
    enum status status = STATUS_OK;
    for (int r = 0; r < ranks->count; r++) {
        exchange->pieces.bytes[r] = r == ranks->rank ? 0 : bytes;
        exchange->pieces.offsets[r] = (size_t)r * bytes;
    }
    for (int round = -WARM_UPS; status == STATUS_OK && round < ROUNDS; round++) {
        status = ranks_barrier(ranks, error);
        int64_t begin = clock_now();
        if (status == STATUS_OK)
            status = rank_nccl_exchange(exchange->nccl, &exchange->from, &exchange->pieces, &exchange->to,
                                        &exchange->pieces, error);
        if (status == STATUS_OK)
            status = rank_nccl_wait(exchange->nccl, error);
        if (round >= 0)
            taken[round] = (double)(clock_now() - begin);
    }
    *median = status == STATUS_OK ? statistics_median(taken, ROUNDS) : 0;
    return status;
}

static enum status make(struct exchange *exchange, const struct ranks *ranks, struct device *device,
                        struct error *error)
{
    enum status status =
        rank_pieces_make(&exchange->pieces, ranks->count) ? STATUS_OK : fail(error, STATUS_UNAVAILABLE, "no memory");
    if (status == STATUS_OK)
        status = buffer_allocate(device, LONG_BYTES, &exchange->from, error);
    if (status == STATUS_OK)
        status = buffer_allocate(device, LONG_BYTES, &exchange->to, error);
    return status == STATUS_OK ? buffer_fill(&exchange->from, 0, 1, LONG_BYTES, error) : status;
}

enum status nccl_link_measure(const struct ranks *ranks, struct device *device, struct links *links,
                              struct error *error)
{
    struct exchange exchange = {0};
    size_t piece = LONG_BYTES / (size_t)ranks->count / 16 * 16;
    double brief = 0, whole = 0;
    enum status status = rank_nccl_open(ranks, device, &exchange.nccl, error);
    if (status == STATUS_OK)
        status = ranks_agree(ranks, make(&exchange, ranks, device, error), error);
    if (status == STATUS_OK)
        status = time_exchanges(&exchange, ranks, SHORT_BYTES, &brief, error);
    if (status == STATUS_OK)
        status = time_exchanges(&exchange, ranks, piece, &whole, error);
    if (status == STATUS_OK)
        status = ranks_largest(ranks, &brief, error);
    if (status == STATUS_OK)
        status = ranks_largest(ranks, &whole, error);
    rank_nccl_close(exchange.nccl);
    buffer_release(&exchange.from);
    buffer_release(&exchange.to);
    rank_pieces_free(&exchange.pieces);
    for (size_t i = 0; status == STATUS_OK && i < LINK_SIZES; i++)
        links->ns[OPERATION_EXCHANGE][i] =
            brief + (whole - brief) * (double)link_sizes[i] / ((double)piece * (ranks->count - 1));
    return status;
}
