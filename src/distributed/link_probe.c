/* The links' ceiling: a transfer of the bytes that must cross the links, and nothing else. */
#include "base/translation.h"
#include "distributed/bench.h"
#include "distributed/carrier.h"

/* Bytes to each peer, a multiple of 16. */
static size_t piece_of(const struct problem *problem, size_t count)
{
    const struct device_ladder *ladder = device_ladder_of(problem->kernel, NULL);
    double bytes = ladder && count > 1 ? ladder->link_bytes(problem, count) : 0;
    return (size_t)(bytes / (double)(count > 1 ? count - 1 : 1)) / 16 * 16;
}

/* Scratch memory: the bytes to send, followed by the bytes received. */
static size_t scratch(const struct problem *problem, size_t index, size_t count)
{
    (void)index;
    return 2 * piece_of(problem, count) * count;
}

static enum status prepare(struct device_run *run, struct error *error)
{
    enum status status = carried_begin(run, sizeof(struct carried), error);
    for (size_t i = 0; status == STATUS_OK && i < run->group->count; i++) /* of the bytes to send: any */
        if (run->scratch[i].bytes)
            status = buffer_fill(&run->scratch[i], 0, 0, run->scratch[i].bytes, error);
    return status;
}

static enum status enqueue(struct device_run *run, struct error *error)
{
    size_t count = run->group->count, piece = piece_of(run->problem, count);
    enum status status = carrier_begin_all(run->state, error);
    for (size_t step = 1; step < count; step++)
        for (size_t from = 0; status == STATUS_OK && from < count; from++) {
            size_t to = (from + step) % count;
            const struct peer_copy copy = {.source = &run->scratch[from],
                                           .target = &run->scratch[to],
                                           .source_offset = to * piece,
                                           .target_offset = (count + from) * piece,
                                           .width = piece,
                                           .rows = 1};
            status = carrier_copy(run->state, from, to, &copy, error);
        }
    return status == STATUS_OK ? carrier_join(run->state, error) : status;
}

const struct device_rung link_probe = {
    .name = "links",
    .idea = N_("the bytes that must cross the links, copied between all pairs at once, and nothing else"),
    .needs = NEEDS_PEERS,
    .carrier = CARRIER_PEERS,
    .scratch = scratch,
    .prepare = prepare,
    .enqueue = enqueue,
    .finish = carried_end,
};
