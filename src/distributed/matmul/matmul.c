#include "distributed/matmul/matmul.h"

#include "base/message.h"
#include "base/size.h"
#include "base/translation.h"
#include "distributed/carrier.h"

extern const struct kernel kernel_matmul;
extern const struct device_rung matmul_overlapped;

struct product_shape product_shape_of(const struct problem *problem)
{
    return (struct product_shape){.m = (size_t)problem_size(problem, "m"),
                                  .n = (size_t)problem_size(problem, "n"),
                                  .k = (size_t)problem_size(problem, "k"),
                                  .element = element_info(problem->type)->bytes};
}

/* Rows of a, b and c without padding; product_refuses rejects padded ones. */
static struct share share(const struct problem *problem, int array, size_t index, size_t count)
{
    struct product_shape shape = product_shape_of(problem);
    if (count == 1) { /* one device takes any shape */
        struct array arrays[KERNEL_ARRAYS_MAX];
        int array_count;
        kernel_describe(problem, arrays, &array_count, NULL);
        return (struct share){.offset = 0, .bytes = arrays[array].bytes};
    }
    size_t begin = array == 1 ? b_begin(shape, count, index) : a_begin(shape, count, index);
    size_t end = array == 1 ? b_begin(shape, count, index + 1) : a_begin(shape, count, index + 1);
    size_t row = (array == 0 ? shape.k : shape.n) * shape.element;
    return (struct share){.offset = begin * row, .bytes = (end - begin) * row};
}

const char *product_refuses(const struct problem *problem, char *reason, size_t size)
{
    static const char *const plain[] = {"transa", "transb", "lda_pad", "ldb_pad", "ldc_pad"};
    for (size_t i = 0; i < COUNT_OF(plain); i++)
        if (problem_size(problem, plain[i]) != 0)
            return explain(reason, size, "matrices in parts are neither transposed nor padded: leave out %s", plain[i]);
    return NULL;
}

static const char *refuses(const struct problem *problem, size_t count, char *reason, size_t size)
{
    (void)count;
    return product_refuses(problem, reason, size);
}

/* All of B but the device's own rows. */
static double link_bytes(const struct problem *problem, size_t count)
{
    struct product_shape shape = product_shape_of(problem);
    return (double)(shape.k - (b_begin(shape, count, count) - b_begin(shape, count, count - 1))) * (double)shape.n *
           (double)shape.element;
}

static size_t rows_begin(const struct problem *problem, size_t count, size_t index)
{
    return a_begin(product_shape_of(problem), count, index);
}

/* Rungs of gather.c differ in the carrier. */
#define GATHER .scratch = gather_scratch, .prepare = gather_prepare, .enqueue = gather_enqueue, .finish = carried_end

static const struct device_rung through_host = {
    THROUGH_HOST(N_("all of B is gathered on each device through host memory; then each multiplies its rows of A")),
    GATHER};
static const struct device_rung peer_copies = {
    BY_PEER_COPIES(N_("all of B is gathered on each device by direct copies; then each multiplies its rows of A")),
    GATHER};
static const struct device_rung nccl = {
    BY_NCCL(N_("all of B is gathered on each device by NCCL; then each multiplies its rows of A")), GATHER};

static const struct device_rung *const rungs[] = {&through_host, &peer_copies, &matmul_overlapped, &nccl};

const struct device_ladder matmul_on_devices = {
    .kernel = &kernel_matmul,
    .rungs = rungs,
    .rung_count = COUNT_OF(rungs),
    .share = share,
    .refuses = refuses,
    .link_bytes = link_bytes,
    .axis = "m",
    .begin = rows_begin,
    .bench = "matmul:m=16384,n=16384,k=16384",
};
