#include "distributed/matmul/matmul.h"

#include "base/element.h"
#include "base/message.h"
#include "base/size.h"

extern const struct kernel kernel_matmul;
extern const struct device_rung matmul_through_host, matmul_peer_copies, matmul_overlapped, matmul_nccl;

struct product_shape product_shape_of(const struct problem *problem)
{
    return (struct product_shape){.m = (size_t)problem_size(problem, "m"),
                                  .n = (size_t)problem_size(problem, "n"),
                                  .k = (size_t)problem_size(problem, "k"),
                                  .element = element_info(problem->type)->bytes};
}

/* Rows of a, b and c without padding; `refuses` rejects padded ones. */
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

static const char *refuses(const struct problem *problem, size_t count, char *reason, size_t size)
{
    (void)count;
    bool plain = problem_size(problem, "transa") == 0 && problem_size(problem, "transb") == 0 &&
                 problem_size(problem, "lda_pad") == 0 && problem_size(problem, "ldb_pad") == 0 &&
                 problem_size(problem, "ldc_pad") == 0;
    if (plain)
        return NULL;
    explain(reason, size, "over devices rows are dealt out: no transposed and no padded matrices");
    return reason;
}

/* All of B but the device's own rows. */
static double link_bytes(const struct problem *problem, size_t count)
{
    struct product_shape shape = product_shape_of(problem);
    return (double)(shape.k - (b_begin(shape, count, count) - b_begin(shape, count, count - 1))) * (double)shape.n *
           (double)shape.element;
}

static struct problem part(const struct problem *problem, size_t index, size_t count)
{
    struct problem own = *problem;
    struct product_shape shape = product_shape_of(problem);
    problem_set_size(&own, "m", (int64_t)(a_begin(shape, count, index + 1) - a_begin(shape, count, index)));
    return own;
}

static void grow(struct problem *problem, size_t count)
{
    problem_set_size(problem, "m", problem_size(problem, "m") * (int64_t)count);
}

static const struct device_rung *const rungs[] = {&matmul_through_host, &matmul_peer_copies, &matmul_overlapped,
                                                  &matmul_nccl};

const struct device_ladder matmul_on_devices = {
    .kernel = &kernel_matmul,
    .rungs = rungs,
    .rung_count = COUNT_OF(rungs),
    .share = share,
    .refuses = refuses,
    .link_bytes = link_bytes,
    .part = part,
    .grow = grow,
    .bench = "matmul:m=16384,n=16384,k=16384",
};
