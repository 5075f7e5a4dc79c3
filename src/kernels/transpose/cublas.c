/* cuBLAS's geam, C = α·op(A) + β·op(B), with α = 1, β = 0 and A transposed. It multiplies, so it takes only the types
 * that it was made for: other elements' bits might come out changed. */
#include "kernels/cublas.h"

#include <limits.h>
#include <stdio.h>

#include "base/message.h"
#include "base/size.h"
#include "kernels/transpose/transpose.h"

typedef int geam(void *handle, int transpose_a, int transpose_b, int m, int n, const void *alpha, const void *a,
                 int pitch_a, const void *beta, const void *b, int pitch_b, void *c, int pitch_c);

static const float one_f32[2] = {1, 0}, zero_f32[2] = {0, 0};
static const double one_f64[2] = {1, 0}, zero_f64[2] = {0, 0};

static const struct variant {
    enum element_type type;
    const char *function;
    const void *one, *zero;
} variants[] = {
    {ELEMENT_F32, "cublasSgeam", one_f32, zero_f32},
    {ELEMENT_F64, "cublasDgeam", one_f64, zero_f64},
    {ELEMENT_C64, "cublasCgeam", one_f32, zero_f32},
    {ELEMENT_C128, "cublasZgeam", one_f64, zero_f64},
};

struct state {
    struct cublas cublas;
    geam *geam;
    const struct variant *variant;
};

static const struct variant *find_variant(enum element_type type)
{
    for (size_t i = 0; i < COUNT_OF(variants); i++)
        if (variants[i].type == type)
            return &variants[i];
    return NULL;
}

static const char *supports(const struct problem *problem, const struct device *device,
                            const struct parameters *parameters, char *reason, size_t size)
{
    (void)device, (void)parameters;
    if (!find_variant(problem->type))
        explain(reason, size, "cuBLAS's geam takes f32, f64, c64 and c128, not %s", element_info(problem->type)->name);
    else if (problem_size(problem, "rows") > INT_MAX || problem_size(problem, "cols") > INT_MAX)
        explain(reason, size, "cuBLAS's geam takes at most %d rows or columns", INT_MAX);
    else
        return transpose_refuses_bits(problem);
    return reason;
}

static enum status prepare(struct run *run, struct error *error)
{
    const struct variant *variant = find_variant(run->problem->type);
    const struct dynamic_symbol symbol = {variant->function, offsetof(struct state, geam), 0};
    enum status status = cublas_prepare(run, sizeof(struct state), &symbol, 1, error);
    if (status == STATUS_OK)
        ((struct state *)run->state)->variant = variant;
    return status;
}

/* cuBLAS counts along columns: our rows × cols input is its cols × rows matrix A, our output its rows × cols matrix C.
 * B is not read, as it is multiplied by 0, but must be given. */
static enum status enqueue(struct run *run, struct error *error)
{
    const struct state *state = run->state;
    int rows = (int)run->arrays[0].rows, cols = (int)run->arrays[0].cols;
    if (rows == 0 || cols == 0)
        return STATUS_OK;
    const void *in = (const void *)run->buffers[0].native;
    void *out = (void *)run->buffers[1].native;
    int code = state->geam(state->cublas.handle, CUBLAS_OP_T, CUBLAS_OP_N, rows, cols, state->variant->one, in, cols,
                           state->variant->zero, out, rows, out, rows);
    return cublas_check(code, state->variant->function, error);
}

const struct rung transpose_cublas = {
    .name = "cublas",
    .idea = "NVIDIA's cuBLAS: geam, which adds scaled matrices, with one of them transposed and the other times 0",
    .kind = RUNG_VENDOR,
    .backends = BACKEND_CUDA,
    .supports = supports,
    .prepare = prepare,
    .finish = cublas_finish,
    .enqueue = enqueue,
};
