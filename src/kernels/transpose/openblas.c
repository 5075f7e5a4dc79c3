/* OpenBLAS's out-of-place matrix copy, the library call of a CPU program. OPENBLAS_NUM_THREADS sets its threads; up to
 * version 0.3.21 at least, this function uses one. */
#include <limits.h>
#include <stdio.h>

#include "base/message.h"
#include "base/size.h"
#include "base/translation.h"
#include "kernels/transpose/transpose.h"
#include "kernels/vendor_library.h"

/* Of the CBLAS interface. */
enum { ROW_MAJOR = 101, TRANSPOSED = 112 };

struct openblas {
    struct vendor_library library;
    void (*somatcopy)(int order, int operation, int rows, int cols, float factor, const float *in, int in_step,
                      float *out, int out_step);
    void (*domatcopy)(int order, int operation, int rows, int cols, double factor, const double *in, int in_step,
                      double *out, int out_step);
    void (*comatcopy)(int order, int operation, int rows, int cols, const float *factor, const float *in, int in_step,
                      float *out, int out_step);
    void (*zomatcopy)(int order, int operation, int rows, int cols, const double *factor, const double *in, int in_step,
                      double *out, int out_step);
};

static const struct dynamic_symbol symbols[] = {
    {"cblas_somatcopy", offsetof(struct openblas, somatcopy), 0},
    {"cblas_domatcopy", offsetof(struct openblas, domatcopy), 0},
    {"cblas_comatcopy", offsetof(struct openblas, comatcopy), 0},
    {"cblas_zomatcopy", offsetof(struct openblas, zomatcopy), 0},
};

static const char *const names[] = {"libopenblas.so.0", "libopenblas.so", NULL};
static const struct dynamic_library library = {"OpenBLAS", names, NULL, N_("install libopenblas0-pthread")};

static const char *supports(const struct problem *problem, const struct device *device,
                            const struct parameters *parameters, char *reason, size_t size)
{
    (void)device, (void)parameters;
    enum element_type type = problem->type;
    if (type != ELEMENT_F32 && type != ELEMENT_F64 && type != ELEMENT_C64 && type != ELEMENT_C128) {
        explain(reason, size, "OpenBLAS copies matrices of f32, f64, c64 and c128, not of %s",
                element_info(type)->name);
        return reason;
    }
    bool fits = problem_size(problem, "rows") <= INT_MAX && problem_size(problem, "cols") <= INT_MAX;
    return fits ? transpose_refuses_bits(problem) : N_("OpenBLAS counts in 32-bit integers");
}

static enum status prepare(struct run *run, struct error *error)
{
    return vendor_library_prepare(run, sizeof(struct openblas), &library, symbols, COUNT_OF(symbols), error);
}

static enum status enqueue(struct run *run, struct error *error)
{
    (void)error;
    const struct openblas *openblas = run->state;
    const void *in = run->buffers[0].host;
    void *out = run->buffers[1].host;
    int rows = (int)run->arrays[0].rows, cols = (int)run->arrays[0].cols;
    if (rows == 0 || cols == 0) /* which it takes for a mistake */
        return STATUS_OK;
    if (run->problem->type == ELEMENT_F32)
        openblas->somatcopy(ROW_MAJOR, TRANSPOSED, rows, cols, 1, in, cols, out, rows);
    else if (run->problem->type == ELEMENT_F64)
        openblas->domatcopy(ROW_MAJOR, TRANSPOSED, rows, cols, 1, in, cols, out, rows);
    else if (run->problem->type == ELEMENT_C64)
        openblas->comatcopy(ROW_MAJOR, TRANSPOSED, rows, cols, (const float[]){1, 0}, in, cols, out, rows);
    else
        openblas->zomatcopy(ROW_MAJOR, TRANSPOSED, rows, cols, (const double[]){1, 0}, in, cols, out, rows);
    return STATUS_OK;
}

const struct rung transpose_openblas = {
    .name = "openblas",
    .idea = "OpenBLAS's cblas_somatcopy, and its like for f64, c64 and c128, times one",
    .kind = RUNG_VENDOR,
    .backends = BACKEND_CPU,
    .supports = supports,
    .prepare = prepare,
    .finish = vendor_library_finish,
    .enqueue = enqueue,
};
