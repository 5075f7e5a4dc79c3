/* oneDNN, which generates the code of a product for the processor at run time: dnnl_sgemm of floats, its primitive of
 * elements of 16 bits. */
#include <stdint.h>
#include <stdio.h>

#include "base/message.h"
#include "base/size.h"
#include "base/translation.h"
#include "kernels/matmul/matmul.h"
#include "kernels/onednn.h"
#include "kernels/vendor_library.h"

struct onednn_version {
    int major, minor, patch;
};

struct onednn {
    struct vendor_library library;
    int (*sgemm)(char transa, char transb, int64_t m, int64_t n, int64_t k, float alpha, const float *a, int64_t lda,
                 const float *b, int64_t ldb, float beta, float *c, int64_t ldc); /* row-major; 0 is success */
    const struct onednn_version *(*version)(void);
    int (*instruction_set)(void);
    const char *(*name)(int instruction_set);
};

static const struct dynamic_symbol symbols[] = {
    {"dnnl_sgemm", offsetof(struct onednn, sgemm), 0},
    {"dnnl_version", offsetof(struct onednn, version), 1},
    {"dnnl_get_effective_cpu_isa", offsetof(struct onednn, instruction_set), 1},
    {"dnnl_cpu_isa2str", offsetof(struct onednn, name), 1},
};

static const char *supports(const struct problem *problem, const struct device *device,
                            const struct parameters *parameters, char *reason, size_t size)
{
    (void)device, (void)parameters, (void)reason, (void)size;
    const struct product p = product_of(problem, NULL, NULL, NULL);
    const int64_t input = problem_size(problem, "input");
    if (p.k == 0)
        return N_("with k = 0 oneDNN leaves C as it was, without beta");
    if (element_is_half(p.type) && (p.alpha != 1 || p.beta != 0))
        return N_("oneDNN's product of 16 bits is called with alpha = 1 and beta = 0 only");
    if (element_is_half(p.type) && (input == INPUT_TINY || input == INPUT_HUGE))
        return N_("oneDNN takes subnormal numbers of 16 bits for zeros");
    if (element_is_half(p.type) && input == INPUT_SPECIAL && p.k % 2)
        return N_("with an odd depth oneDNN multiplies what follows a row by 0, and infinity by 0 is NaN");
    return p.type == ELEMENT_F64 ? N_("oneDNN multiplies floats, not doubles") : NULL;
}

/* Of the products of a batch, which have the same shape. */
static enum status prepare_halves(struct run *run, struct error *error)
{
    const struct product p = product_of(run->problem, NULL, NULL, NULL);
    const struct onednn_matrix matrices[] = {
        {ONEDNN_FROM, p.type, p.m, p.k, p.transa ? 1 : p.lda, p.transa ? p.lda : 1},
        {ONEDNN_WEIGHTS, p.type, p.k, p.n, p.transb ? 1 : p.ldb, p.transb ? p.ldb : 1},
        {ONEDNN_TO, p.result, p.m, p.n, p.ldc, 1},
    };
    return onednn_prepare(run, ONEDNN_MATMUL, matrices, 3, error);
}

static enum status multiply_halves(struct run *run, const struct product *batch, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < batch->batch && status == STATUS_OK; i++) {
        const struct product p = product_at(batch, i);
        status = onednn_execute(run, (void *const[]){(void *)p.a, (void *)p.b, p.c}, error);
    }
    return status;
}

static bool is_of_halves(const struct run *run)
{
    return element_is_half(run->problem->type);
}

static void finish(struct run *run)
{
    if (is_of_halves(run))
        onednn_finish(run);
    else
        vendor_library_finish(run);
}

static enum status prepare(struct run *run, struct error *error)
{
    if (is_of_halves(run))
        return prepare_halves(run, error);
    enum status status =
        vendor_library_prepare(run, sizeof(struct onednn), &onednn_library, symbols, COUNT_OF(symbols), error);
    if (status != STATUS_OK)
        return status;
    const struct onednn *onednn = run->state;
    if (onednn->version && onednn->instruction_set && onednn->name)
        explain(run->detail, sizeof run->detail, "version %d.%d, kernels for %s", onednn->version()->major,
                onednn->version()->minor, onednn->name(onednn->instruction_set()));
    return STATUS_OK;
}

static int64_t leading(size_t size)
{
    return size > 0 ? (int64_t)size : 1;
}

static enum status enqueue(struct run *run, struct error *error)
{
    const struct onednn *onednn = run->state;
    const struct product batch = product_of_run(run);
    int result = 0;
    if (is_of_halves(run))
        return multiply_halves(run, &batch, error);
    for (size_t i = 0; i < batch.batch && batch.m > 0 && batch.n > 0 && result == 0; i++) {
        const struct product p = product_at(&batch, i);
        result =
            onednn->sgemm(p.transa ? 'T' : 'N', p.transb ? 'T' : 'N', (int64_t)p.m, (int64_t)p.n, (int64_t)p.k,
                          (float)p.alpha, p.a, leading(p.lda), p.b, leading(p.ldb), (float)p.beta, p.c, leading(p.ldc));
    }
    return result == 0 ? STATUS_OK : fail(error, STATUS_FAILED, "dnnl_sgemm returned %d", result);
}

const struct rung matmul_onednn = {
    .name = "onednn",
    .idea = "oneDNN's dnnl_sgemm, and its matmul of 16 bits",
    .kind = RUNG_VENDOR,
    .backends = BACKEND_CPU,
    .takes = "batch result f16 bf16",
    .supports = supports,
    .prepare = prepare,
    .finish = finish,
    .enqueue = enqueue,
};
