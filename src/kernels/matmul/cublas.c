/* cuBLAS's gemm in its default mode, which computes floats in float, and elements of 16 bits with sums of floats: it
 * is told not to add partial sums in 16 bits.
 * cuBLAS is column-major: our row-major C is its transpose, which is op(B)ᵀ·op(A)ᵀ. The operands are therefore swapped,
 * and each is transposed when ours is. */
#include "kernels/cublas.h"

#include <limits.h>
#include <stdio.h>

#include "base/message.h"
#include "base/size.h"
#include "kernels/matmul/matmul.h"

typedef int gemm(void *handle, int transpose_a, int transpose_b, int m, int n, int k, const void *alpha, const void *a,
                 int lda, const void *b, int ldb, const void *beta, void *c, int ldc);

typedef int gemm_batch(void *handle, int transpose_a, int transpose_b, int m, int n, int k, const void *alpha,
                       const void *a, int lda, long long step_a, const void *b, int ldb, long long step_b,
                       const void *beta, void *c, int ldc, long long step_c, int count);

typedef int gemm_ex(void *handle, int transpose_a, int transpose_b, int m, int n, int k, const void *alpha,
                    const void *a, int type_a, int lda, const void *b, int type_b, int ldb, const void *beta, void *c,
                    int type_c, int ldc, int compute, int algorithm);

typedef int gemm_ex_batch(void *handle, int transpose_a, int transpose_b, int m, int n, int k, const void *alpha,
                          const void *a, int type_a, int lda, long long step_a, const void *b, int type_b, int ldb,
                          long long step_b, const void *beta, void *c, int type_c, int ldc, long long step_c, int count,
                          int compute, int algorithm);

/* One of the functions: a batch has one of its own, and so have elements of 16 bits. */
struct state {
    struct cublas cublas;
    gemm *gemm;
    gemm_batch *gemm_batch;
    gemm_ex *gemm_ex;
    gemm_ex_batch *gemm_ex_batch;
    int (*set_math_mode)(void *handle, int mode);
};

static bool is_batch(const struct problem *problem)
{
    return problem_size(problem, "batch") > 1;
}

static const char *function_name(const struct problem *problem)
{
    if (element_is_half(problem->type))
        return is_batch(problem) ? "cublasGemmStridedBatchedEx" : "cublasGemmEx";
    if (is_batch(problem))
        return problem->type == ELEMENT_F32 ? "cublasSgemmStridedBatched" : "cublasDgemmStridedBatched";
    return problem->type == ELEMENT_F32 ? "cublasSgemm_v2" : "cublasDgemm_v2";
}

static const char *supports(const struct problem *problem, const struct device *device,
                            const struct parameters *parameters, char *reason, size_t size)
{
    (void)device, (void)parameters;
    struct product p = product_of(problem, NULL, NULL, NULL);
    const size_t numbers[] = {p.m, p.n, p.k, p.lda, p.ldb, p.ldc, p.batch};
    for (size_t i = 0; i < COUNT_OF(numbers); i++)
        if (numbers[i] > INT_MAX) {
            explain(reason, size, "cuBLAS's gemm takes sizes and leading dimensions up to %d", INT_MAX);
            return reason;
        }
    return NULL;
}

static enum status prepare(struct run *run, struct error *error)
{
    const bool is_half = element_is_half(run->problem->type);
    const size_t offset = is_batch(run->problem)
                              ? (is_half ? offsetof(struct state, gemm_ex_batch) : offsetof(struct state, gemm_batch))
                              : (is_half ? offsetof(struct state, gemm_ex) : offsetof(struct state, gemm));
    const struct dynamic_symbol symbols[] = {{function_name(run->problem), offset, 0},
                                             {"cublasSetMathMode", offsetof(struct state, set_math_mode), 0}};
    enum status status = cublas_prepare(run, sizeof(struct state), symbols, is_half ? 2 : 1, error);
    if (status != STATUS_OK || !is_half)
        return status;
    const struct state *state = run->state;
    status = cublas_check(state->set_math_mode(state->cublas.handle, CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION),
                          "cublasSetMathMode", error);
    if (status != STATUS_OK)
        cublas_finish(run);
    return status;
}

/* Leading dimensions must be positive, even for matrices without elements. */
static int leading(size_t elements)
{
    return elements ? (int)elements : 1;
}

static int data_type(enum element_type type)
{
    return type == ELEMENT_F16 ? CUBLAS_R_16F : type == ELEMENT_BF16 ? CUBLAS_R_16BF : CUBLAS_R_32F;
}

static int multiply_half(const struct state *state, const struct product *p)
{
    void *handle = state->cublas.handle;
    const float alpha = (float)p->alpha, beta = (float)p->beta;
    const int op_a = p->transa ? CUBLAS_OP_T : CUBLAS_OP_N, op_b = p->transb ? CUBLAS_OP_T : CUBLAS_OP_N;
    const int m = (int)p->m, n = (int)p->n, k = (int)product_depth(p), type = data_type(p->type),
              result = data_type(p->result);
    const int lda = leading(p->lda), ldb = leading(p->ldb), ldc = leading(p->ldc);
    if (p->batch > 1)
        return state->gemm_ex_batch(handle, op_b, op_a, n, m, k, &alpha, p->b, type, ldb, (long long)p->step_b, p->a,
                                    type, lda, (long long)p->step_a, &beta, p->c, result, ldc, (long long)p->step_c,
                                    (int)p->batch, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
    return state->gemm_ex(handle, op_b, op_a, n, m, k, &alpha, p->b, type, ldb, p->a, type, lda, &beta, p->c, result,
                          ldc, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
}

static enum status enqueue(struct run *run, struct error *error)
{
    const struct state *state = run->state;
    struct product p = product_of(run->problem, (const void *)run->buffers[0].native,
                                  (const void *)run->buffers[1].native, (void *)run->buffers[2].native);
    const float floats[] = {(float)p.alpha, (float)p.beta};
    const double doubles[] = {p.alpha, p.beta};
    bool is_float = p.type == ELEMENT_F32;
    const void *alpha = is_float ? (const void *)&floats[0] : &doubles[0];
    const void *beta = is_float ? (const void *)&floats[1] : &doubles[1];
    if (p.m == 0 || p.n == 0)
        return STATUS_OK;
    if (element_is_half(p.type))
        return cublas_check(multiply_half(state, &p), function_name(run->problem), error);
    void *handle = state->cublas.handle;
    const int op_a = p.transa ? CUBLAS_OP_T : CUBLAS_OP_N, op_b = p.transb ? CUBLAS_OP_T : CUBLAS_OP_N;
    const int m = (int)p.m, n = (int)p.n, k = (int)p.k;
    const int lda = leading(p.lda), ldb = leading(p.ldb), ldc = leading(p.ldc);
    int code = is_batch(run->problem)
                   ? state->gemm_batch(handle, op_b, op_a, n, m, k, alpha, p.b, ldb, (long long)p.step_b, p.a, lda,
                                       (long long)p.step_a, beta, p.c, ldc, (long long)p.step_c, (int)p.batch)
                   : state->gemm(handle, op_b, op_a, n, m, k, alpha, p.b, ldb, p.a, lda, beta, p.c, ldc);
    return cublas_check(code, function_name(run->problem), error);
}

const struct rung matmul_cublas = {
    .name = "cublas",
    .idea = "NVIDIA's cuBLAS: gemm in its default mode, float as float",
    .kind = RUNG_VENDOR,
    .backends = BACKEND_CUDA,
    .takes = "batch result f16 bf16",
    .supports = supports,
    .prepare = prepare,
    .finish = cublas_finish,
    .enqueue = enqueue,
};
