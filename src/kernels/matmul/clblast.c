/* CLBlast's gemm. */
#include "kernels/clblast.h"

#include <stdio.h>

#include "base/message.h"
#include "base/size.h"
#include "kernels/matmul/matmul.h"

/* The scalars have the elements' type, so there are two. */
#define GEMM(name, scalar)                                                                                      \
    typedef int name(int layout, int transpose_a, int transpose_b, size_t m, size_t n, size_t k, scalar alpha,  \
                     cl_mem a, size_t a_offset, size_t lda, cl_mem b, size_t b_offset, size_t ldb, scalar beta, \
                     cl_mem c, size_t c_offset, size_t ldc, cl_command_queue *queue, cl_event *event);
GEMM(gemm_f32, float)
GEMM(gemm_f64, double)

struct state {
    struct vendor_library library;
    gemm_f32 *f32;
    gemm_f64 *f64;
};

static const struct dynamic_symbol symbols[] = {
    {"CLBlastSgemm", offsetof(struct state, f32), 0},
    {"CLBlastDgemm", offsetof(struct state, f64), 0},
};

static const char *supports(const struct problem *problem, const struct device *device,
                            const struct parameters *parameters, char *reason, size_t size)
{
    (void)parameters;
    struct product p = product_of(problem, NULL, NULL, NULL);
    if (p.type == ELEMENT_F64 && !device->properties.has_double)
        explain(reason, size, "%s has no double precision", device->id);
    else if (p.m > 0 && p.n > 0 && p.k == 0)
        explain(reason, size, "CLBlast's gemm refuses k = 0");
    else if (p.alpha == 0)
        explain(reason, size, "CLBlast's gemm multiplies also when alpha is 0, and so lets NaN through");
    else
        return NULL;
    return reason;
}

static enum status prepare(struct run *run, struct error *error)
{
    return clblast_prepare(run, sizeof(struct state), symbols, COUNT_OF(symbols), error);
}

static enum status enqueue(struct run *run, struct error *error)
{
    const struct state *state = run->state;
    struct product p = product_of(run->problem, NULL, NULL, NULL);
    cl_mem a = (cl_mem)run->buffers[0].native, b = (cl_mem)run->buffers[1].native, c = (cl_mem)run->buffers[2].native;
    cl_command_queue queue = run->device->native_queue;
    int op_a = p.transa ? CLBLAST_TRANSPOSE_YES : CLBLAST_TRANSPOSE_NO;
    int op_b = p.transb ? CLBLAST_TRANSPOSE_YES : CLBLAST_TRANSPOSE_NO;
    if (p.m == 0 || p.n == 0)
        return STATUS_OK;
    if (p.type == ELEMENT_F32)
        return clblast_check(state->f32(CLBLAST_ROW_MAJOR, op_a, op_b, p.m, p.n, p.k, (float)p.alpha, a, 0, p.lda, b, 0,
                                        p.ldb, (float)p.beta, c, 0, p.ldc, &queue, NULL),
                             "CLBlastSgemm", error);
    return clblast_check(state->f64(CLBLAST_ROW_MAJOR, op_a, op_b, p.m, p.n, p.k, p.alpha, a, 0, p.lda, b, 0, p.ldb,
                                    p.beta, c, 0, p.ldc, &queue, NULL),
                         "CLBlastDgemm", error);
}

const struct rung matmul_clblast = {
    .name = "clblast",
    .idea = "CLBlast: its tuned gemm",
    .kind = RUNG_VENDOR,
    .backends = BACKEND_OPENCL,
    .supports = supports,
    .prepare = prepare,
    .finish = vendor_library_finish,
    .enqueue = enqueue,
};
