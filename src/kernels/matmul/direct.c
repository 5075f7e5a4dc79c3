/* M4, for small products: packing would cost more than the arithmetic, so tiles read A and B where they lie. */
#include "base/pool.h"
#include "base/translation.h"
#include "kernels/matmul/matmul.h"
#include "kernels/matmul/packed.h"

/* Multiplications below which another thread costs more time than it saves. */
#define THREAD_WORK 65536.0

static void multiply(const struct product *p)
{
    const size_t depth = product_depth(p);
    if (p->m == 0 || p->n == 0)
        return;
    struct packed_product small = {
        .m = p->m,
        .n = p->n,
        .k = depth,
        .a = {p->a, p->transa ? 1 : p->lda, p->transa ? p->lda : 1},
        .b = {p->b, p->transb ? 1 : p->ldb, p->transb ? p->ldb : 1},
        .alpha = depth ? p->alpha : 0,
        .beta = p->beta,
        .c = p->c,
        .ldc = p->ldc,
    };
    packed_level(p->type == ELEMENT_F64)->direct(&small);
}

static void multiply_one(void *context, size_t index, size_t thread)
{
    (void)thread;
    const struct product p = product_at(context, index);
    multiply(&p);
}

static enum status enqueue(struct run *run, struct error *error)
{
    (void)error;
    struct product batch = product_of_run(run);
    const double each = (double)batch.m * (double)batch.n * (double)(batch.k + 1);
    parallel_for(batch.batch, pool_threads_for(each * (double)batch.batch, THREAD_WORK), multiply_one, &batch);
    return STATUS_OK;
}

static const char *supports(const struct problem *problem, const struct device *device,
                            const struct parameters *parameters, char *reason, size_t size)
{
    (void)device, (void)parameters, (void)reason, (void)size;
    const struct product p = product_of(problem, NULL, NULL, NULL);
    return p.m > PACKED_DIRECT_MOST || p.n > PACKED_DIRECT_MOST || p.k > PACKED_DIRECT_MOST
               ? N_("takes products whose sides are at most 128")
               : NULL;
}

const struct rung matmul_direct = {
    .name = "direct",
    .idea = "small products are not packed: tiles of C in registers, A and B where they lie",
    .kind = RUNG_HOST,
    .backends = BACKEND_CPU,
    .rests_soon = true,
    .takes = "batch step_a step_b step_c",
    .supports = supports,
    .enqueue = enqueue,
};
