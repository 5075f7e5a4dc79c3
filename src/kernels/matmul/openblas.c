/* OpenBLAS's gemm for CPU programs, with the library's own threads. */
#include <stdio.h>

#include "base/message.h"
#include "base/size.h"
#include "base/translation.h"
#include "kernels/matmul/cblas.h"

typedef char *tells_core(void);

static const struct dynamic_symbol symbols[] = {
    CBLAS_SYMBOLS,
    {"openblas_set_num_threads", offsetof(struct cblas, set_threads), 0},
    {"openblas_get_corename", offsetof(struct cblas, extra[0]), 1},
};

static const char *const names[] = {"libopenblas.so.0", "libopenblas.so", NULL};
static const struct dynamic_library library = {"OpenBLAS", names, NULL, N_("install libopenblas0-pthread")};

/* OpenBLAS's kernels for small products compute the product even if alpha is 0 (seen in 0.3.21). */
static const char *supports(const struct problem *problem, const struct device *device,
                            const struct parameters *parameters, char *reason, size_t size)
{
    if (problem_real(problem, "alpha") == 0)
        return N_("with alpha = 0 OpenBLAS may still read A and B, and take their NaN over");
    return cblas_supports(problem, device, parameters, reason, size);
}

/* OpenBLAS selects kernels for the CPU it detects; a library older than the CPU detects an older one. */
static enum status prepare(struct run *run, struct error *error)
{
    enum status status = cblas_prepare(run, &library, symbols, COUNT_OF(symbols), error);
    const struct cblas *cblas = run->state;
    if (status == STATUS_OK && cblas->extra[0])
        explain(run->detail, sizeof run->detail, "kernels for %s", ((tells_core *)cblas->extra[0])());
    return status;
}

const struct rung matmul_openblas = {
    .name = "openblas",
    .idea = "OpenBLAS's cblas_sgemm and cblas_dgemm",
    .kind = RUNG_VENDOR,
    .backends = BACKEND_CPU,
    .takes = "batch",
    .supports = supports,
    .prepare = prepare,
    .finish = vendor_library_finish,
    .enqueue = cblas_enqueue,
};
