/* oneDNN, which generates the code of a float product for the processor at run time. */
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
    if (problem_size(problem, "k") == 0)
        return N_("with k = 0 oneDNN leaves C as it was, without beta");
    return problem->type != ELEMENT_F32 ? N_("oneDNN multiplies floats, not doubles") : NULL;
}

static enum status prepare(struct run *run, struct error *error)
{
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
    .idea = "oneDNN's dnnl_sgemm",
    .kind = RUNG_VENDOR,
    .backends = BACKEND_CPU,
    .takes = "batch",
    .supports = supports,
    .prepare = prepare,
    .finish = vendor_library_finish,
    .enqueue = enqueue,
};
