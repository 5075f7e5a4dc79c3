#include "distributed/sort/sort.h"

#include "base/element.h"
#include "base/size.h"

extern const struct kernel kernel_sort;
extern const struct device_rung sort_through_host, sort_peer_copies, sort_merged, sort_peer_loads, sort_nccl;

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

static struct problem part(const struct problem *problem, size_t index, size_t count)
{
    struct problem own = *problem;
    problem_set_size(&own, "n", (int64_t)(keys_begin(problem, count, index + 1) - keys_begin(problem, count, index)));
    return own;
}

static void grow(struct problem *problem, size_t count)
{
    problem_set_size(problem, "n", problem_size(problem, "n") * (int64_t)count);
}

static const struct device_rung *const rungs[] = {&sort_through_host, &sort_peer_copies, &sort_merged, &sort_peer_loads,
                                                  &sort_nccl};

const struct device_ladder sort_on_devices = {
    .kernel = &kernel_sort,
    .rungs = rungs,
    .rung_count = COUNT_OF(rungs),
    .share = share,
    .link_bytes = link_bytes,
    .part = part,
    .grow = grow,
    .bench = "sort:n=2^28",
};
