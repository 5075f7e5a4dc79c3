#include "distributed/sort/sort.h"
#include "distributed/carrier.h"

#include "base/size.h"
#include "base/translation.h"

extern const struct kernel kernel_sort;

size_t keys_begin(const struct problem *problem, size_t count, size_t index)
{
    return deal_begin((size_t)problem_size(problem, "n"), SORT_BLOCK, count, index);
}

size_t sort_piece_begin(size_t keys, size_t pieces, size_t piece)
{
    static const size_t twelfths[SORT_PIECES + 1] = {0, 1, 3, 6, 9, 11, 12};
    size_t before = pieces == SORT_PIECES ? twelfths[piece] : 12 * piece;
    return keys / 12 * before + keys % 12 * before / 12;
}

static struct share share(const struct problem *problem, int array, size_t index, size_t count)
{
    size_t element = element_info(problem->type)->bytes, begin = keys_begin(problem, count, index);
    (void)array;
    return (struct share){.offset = begin * element,
                          .bytes = (keys_begin(problem, count, index + 1) - begin) * element};
}

/* For randomly ordered keys, a device receives all but 1/count of its keys from the other devices. */
static double link_bytes(const struct problem *problem, size_t count)
{
    double bytes = (double)problem_size(problem, "n") * (double)element_info(problem->type)->bytes;
    return bytes / (double)count * (double)(count - 1) / (double)count;
}

/* Rungs of runs.c differ in the carrier and in what joins the runs. */
#define RUNS .scratch = runs_scratch, .prepare = runs_prepare, .enqueue = runs_enqueue, .finish = runs_finish

static const struct device_rung through_host = {
    THROUGH_HOST(N_("sorted shares are cut by rank; the runs travel through host memory, and are sorted again")),
    .needs = NEEDS_PEERS, .work = runs_work_again, .way = RUNS_SORTED_AGAIN, RUNS};
static const struct device_rung peer_copies = {
    BY_PEER_COPIES(N_("sorted shares are cut by rank; the runs are copied directly, and sorted again")),
    .work = runs_work_again, .way = RUNS_SORTED_AGAIN, RUNS};
static const struct device_rung merged = {
    .name = "merged",
    .idea = N_(
        "sorted shares are cut by rank; the runs are copied in six pieces, and one is merged while the next travels"),
    .needs = NEEDS_PEERS,
    .carrier = CARRIER_PEERS,
    .way = RUNS_MERGED,
    RUNS,
};
static const struct device_rung peer_loads = {
    .name = "peer-loads",
    .idea = N_("sorted shares are cut by rank; the merge reads the runs where they lie, also in a peer's memory"),
    .needs = NEEDS_PEERS,
    .carrier = CARRIER_PEERS,
    .way = RUNS_MERGED_IN_PLACE,
    RUNS,
};
static const struct device_rung nccl = {
    .name = "nccl",
    .idea = N_("sorted shares are cut by rank; NCCL exchanges the runs, which are merged"),
    .needs = NEEDS_PEERS | NEEDS_NCCL,
    .carrier = CARRIER_NCCL,
    .way = RUNS_MERGED,
    RUNS,
};

static const struct device_rung *const rungs[] = {&through_host, &peer_copies, &merged, &peer_loads, &nccl};

const struct device_ladder sort_on_devices = {
    .kernel = &kernel_sort,
    .rungs = rungs,
    .rung_count = COUNT_OF(rungs),
    .share = share,
    .link_bytes = link_bytes,
    .axis = "n",
    .begin = keys_begin,
    .bench = "sort:n=2^28",
};
