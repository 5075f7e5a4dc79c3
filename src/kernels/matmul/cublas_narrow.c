/* cuBLAS's products of floats with fewer bits. For TF32, cuBLAS converts the floats itself. For float16 and bfloat16, A
 * and B are converted first (narrow.cu), and the conversion is timed. Sums are floats. These products are for the view
 * of accuracy only: they fail every check of a float product. */
#include <limits.h>
#include <stdio.h>

#include "base/embedded.h"
#include "base/message.h"
#include "kernels/cublas.h"
#include "kernels/matmul/accuracy.h"
#include "kernels/matmul/matmul.h"

#define ITEMS 256
#define GROUPS_MOST 4096
enum { NARROW_ARGUMENTS = 4 };

typedef int gemm_ex(void *handle, int transpose_a, int transpose_b, int m, int n, int k, const void *alpha,
                    const void *a, int type_a, int lda, const void *b, int type_b, int ldb, const void *beta, void *c,
                    int type_c, int ldc, int compute, int algorithm);

struct state {
    struct cublas cublas;
    gemm_ex *gemm;
    struct program *narrow; /* NULL: cuBLAS reads the floats */
};

static bool is_narrowed(const struct rung *rung)
{
    return rung != &matmul_cublas_tf32;
}

/* Bytes of A or of B, as stored. */
static size_t bytes_of(const struct problem *problem, int array)
{
    struct product p = product_of(problem, NULL, NULL, NULL);
    const size_t rows = array == 0 ? (p.transa ? p.k : p.m) : (p.transb ? p.n : p.k);
    return (2 * rows * (array == 0 ? p.lda : p.ldb) + 255) / 256 * 256;
}

/* Offset of the narrow A or B in the scratch memory. */
static size_t offset_of(const struct problem *problem, int array)
{
    return array == 0 ? 0 : bytes_of(problem, 0);
}

static size_t scratch(const struct problem *problem, const struct device *device, const struct parameters *parameters)
{
    (void)device, (void)parameters;
    return bytes_of(problem, 0) + bytes_of(problem, 1);
}

static const char *supports(const struct problem *problem, const struct device *device,
                            const struct parameters *parameters, char *reason, size_t size)
{
    (void)parameters;
    int major = 0;
    struct product p = product_of(problem, NULL, NULL, NULL);
    if (p.m > INT_MAX || p.n > INT_MAX || p.k > INT_MAX || p.lda > INT_MAX || p.ldb > INT_MAX || p.ldc > INT_MAX)
        explain(reason, size, "cuBLAS's gemm takes sizes and leading dimensions up to %d", INT_MAX);
    else if (problem->type != ELEMENT_F32)
        explain(reason, size, "works on float only");
    else if (sscanf(device->properties.version, "%d", &major) != 1 || major < 8)
        explain(reason, size, "needs tensor cores for bfloat16, which GPUs have from compute capability 8.0 on");
    else
        return NULL;
    return reason;
}

static void finish(struct run *run)
{
    struct state *state = run->state;
    if (!state)
        return;
    program_discard(state->narrow);
    cublas_finish(run);
}

static enum status prepare_narrowing(struct run *run, struct state *state, struct error *error)
{
    const char *const float16[] = {"BFLOAT16=0"}, *const bfloat16[] = {"BFLOAT16=1"};
    const struct embedded_file *file = embedded_find("kernels/matmul/narrow.cu");
    const struct program_source source = {file->path, file->text, LANGUAGE_CUDA_C,
                                          run->rung == &matmul_cublas_float16 ? float16 : bfloat16, 1};
    return program_build(run->device, &source, &state->narrow, error);
}

static enum status prepare(struct run *run, struct error *error)
{
    const struct dynamic_symbol symbol = {"cublasGemmEx", offsetof(struct state, gemm), 0};
    enum status status = cublas_prepare(run, sizeof(struct state), &symbol, 1, error);
    if (status == STATUS_OK && is_narrowed(run->rung)) {
        status = prepare_narrowing(run, run->state, error);
        if (status != STATUS_OK)
            finish(run);
    }
    return status;
}

static enum status narrow(const struct run *run, const struct state *state, int array, struct error *error)
{
    const size_t count = run->arrays[array].rows * run->arrays[array].cols, groups = (count + ITEMS - 1) / ITEMS;
    const struct argument_value arguments[NARROW_ARGUMENTS] = {
        {ARGUMENT_BUFFER, {.buffer = &run->buffers[array]}},
        {ARGUMENT_BUFFER, {.buffer = run->scratch}},
        {ARGUMENT_LONG, {.long_value = (int64_t)offset_of(run->problem, array)}},
        {ARGUMENT_LONG, {.long_value = (int64_t)count}},
    };
    const struct launch launch = {
        .entry = "narrow",
        .rank = 1,
        .group = {ITEMS, 1, 1},
        .groups = {groups < GROUPS_MOST ? groups : GROUPS_MOST, 1, 1},
        .arguments = arguments,
        .argument_count = NARROW_ARGUMENTS,
    };
    return count ? program_launch(state->narrow, &launch, error) : STATUS_OK;
}

static int leading(size_t elements)
{
    return elements ? (int)elements : 1;
}

static enum status multiply(const struct run *run, const struct state *state, struct error *error)
{
    const bool is_narrow = is_narrowed(run->rung);
    const char *a = (const char *)run->buffers[0].native, *b = (const char *)run->buffers[1].native;
    const int type = !is_narrow ? CUBLAS_R_32F : run->rung == &matmul_cublas_float16 ? CUBLAS_R_16F : CUBLAS_R_16BF;
    const int compute = is_narrow ? CUBLAS_COMPUTE_32F : CUBLAS_COMPUTE_32F_FAST_TF32;
    if (is_narrow) {
        a = (const char *)run->scratch->native + offset_of(run->problem, 0);
        b = (const char *)run->scratch->native + offset_of(run->problem, 1);
    }
    struct product p = product_of(run->problem, a, b, (void *)run->buffers[2].native);
    const float alpha = (float)p.alpha, beta = (float)p.beta;
    if (p.m == 0 || p.n == 0)
        return STATUS_OK;
    /* The operands are swapped, for the reason in cublas.c. */
    int code =
        state->gemm(state->cublas.handle, p.transb ? CUBLAS_OP_T : CUBLAS_OP_N, p.transa ? CUBLAS_OP_T : CUBLAS_OP_N,
                    (int)p.n, (int)p.m, (int)p.k, &alpha, p.b, type, leading(p.ldb), p.a, type, leading(p.lda), &beta,
                    p.c, CUBLAS_R_32F, leading(p.ldc), compute, CUBLAS_GEMM_DEFAULT);
    return cublas_check(code, "cublasGemmEx", error);
}

static enum status enqueue(struct run *run, struct error *error)
{
    const struct state *state = run->state;
    enum status status = STATUS_OK;
    for (int array = 0; status == STATUS_OK && is_narrowed(run->rung) && array < 2; array++)
        status = narrow(run, state, array, error);
    return status == STATUS_OK ? multiply(run, state, error) : status;
}

const struct rung matmul_cublas_tf32 = {
    .name = "cublas-tf32",
    .idea = "cuBLAS: floats rounded to TF32 on their way to tensor cores",
    .kind = RUNG_VENDOR,
    .backends = BACKEND_CUDA,
    .supports = supports,
    .prepare = prepare,
    .finish = finish,
    .enqueue = enqueue,
};

const struct rung matmul_cublas_float16 = {
    .name = "cublas-float16",
    .idea = "cuBLAS: one product of float16, to which A and B are converted first",
    .kind = RUNG_VENDOR,
    .backends = BACKEND_CUDA,
    .supports = supports,
    .scratch = scratch,
    .prepare = prepare,
    .finish = finish,
    .enqueue = enqueue,
};

const struct rung matmul_cublas_bfloat16 = {
    .name = "cublas-bfloat16",
    .idea = "cuBLAS: one product of bfloat16, to which A and B are converted first",
    .kind = RUNG_VENDOR,
    .backends = BACKEND_CUDA,
    .supports = supports,
    .scratch = scratch,
    .prepare = prepare,
    .finish = finish,
    .enqueue = enqueue,
};
