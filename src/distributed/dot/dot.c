#include "distributed/dot/dot.h"
#include "distributed/carrier.h"

#include "base/size.h"
#include "base/translation.h"
#include "kernels/part.h"

/* Elements of a group of 256 items with 4 words of 16 bytes each: 4096 floats or 2048 doubles. */
#define LEAF_UNIT 4096

extern const struct kernel kernel_dot;

struct leaves leaves_of(const struct problem *problem)
{
    struct leaves leaves = {.n = (size_t)problem_size(problem, "n")};
    size_t units = (leaves.n / LEAVES_MOST + (leaves.n % LEAVES_MOST != 0) + LEAF_UNIT - 1) / LEAF_UNIT;
    leaves.leaf = (units ? units : 1) * LEAF_UNIT;
    leaves.count = leaves.n / leaves.leaf + (leaves.n % leaves.leaf != 0);
    return leaves;
}

size_t leaves_begin(struct leaves leaves, size_t count, size_t index)
{
    return part_begin(leaves.count, count, index);
}

static size_t elements_begin(const struct problem *problem, size_t count, size_t index)
{
    struct leaves leaves = leaves_of(problem);
    return size_least(leaves_begin(leaves, count, index) * leaves.leaf, leaves.n);
}

static struct share share(const struct problem *problem, int array, size_t index, size_t count)
{
    size_t element = element_info(problem->type)->bytes;
    if (array >= 2) /* the result is on device 0 */
        return (struct share){.offset = 0, .bytes = index ? 0 : array == 2 ? sizeof(double) : element};
    size_t begin = elements_begin(problem, count, index), end = elements_begin(problem, count, index + 1);
    return (struct share){.offset = begin * element, .bytes = (end - begin) * element};
}

/* Each device sends its sums to device 0: some kilobytes. */
static double link_bytes(const struct problem *problem, size_t count)
{
    (void)problem, (void)count;
    return 0;
}

/* Rungs of leaves.c differ in how the sums reach device 0. */
#define LEAVES .scratch = leaves_scratch, .prepare = leaves_prepare, .enqueue = leaves_enqueue, .finish = leaves_finish

static const struct device_rung through_host = {
    THROUGH_HOST(N_("each device adds up its leaves; their sums reach device 0 through host memory")), LEAVES};
static const struct device_rung peer_copies = {BY_PEER_COPIES(N_("the leaves' sums are copied directly to device 0")),
                                               LEAVES};
static const struct device_rung peer_stores = {
    .name = "peer-stores",
    .idea = N_("a group of each device stores its sums in device 0's memory; that of the last to be ready adds all up"),
    .needs = NEEDS_PEERS,
    .way = LEAVES_STORED,
    LEAVES,
};
static const struct device_rung nccl = {
    BY_NCCL(N_("the leaves' sums are sent to device 0 by NCCL; its own reduction would not keep the order")), LEAVES};

static const struct device_rung *const rungs[] = {&through_host, &peer_copies, &peer_stores, &nccl};

const struct device_ladder dot_on_devices = {
    .kernel = &kernel_dot,
    .rungs = rungs,
    .rung_count = COUNT_OF(rungs),
    .share = share,
    .link_bytes = link_bytes,
    .axis = "n",
    .begin = elements_begin,
    .same_bits = true,
    .bench = "dot:n=2^29",
};
