/* OpenBLAS: the library call of a CPU program, with its own threads. */
#include <limits.h>

#include "base/size.h"
#include "base/translation.h"
#include "kernels/dot/dot.h"
#include "kernels/vendor_library.h"

struct openblas {
    struct vendor_library library;
    float (*sdot)(int n, const float *x, int x_step, const float *y, int y_step);
    double (*ddot)(int n, const double *x, int x_step, const double *y, int y_step);
};

static const struct dynamic_symbol symbols[] = {
    {"cblas_sdot", offsetof(struct openblas, sdot), 0},
    {"cblas_ddot", offsetof(struct openblas, ddot), 0},
};

static const char *const names[] = {"libopenblas.so.0", "libopenblas.so", NULL};
static const struct dynamic_library library = {"OpenBLAS", names, NULL, N_("install libopenblas0-pthread")};

static const char *supports(const struct problem *problem, const struct device *device,
                            const struct parameters *parameters, char *reason, size_t size)
{
    (void)device, (void)parameters, (void)reason, (void)size;
    return problem->values[0].size > INT_MAX ? N_("OpenBLAS counts in 32-bit integers") : NULL;
}

static enum status prepare(struct run *run, struct error *error)
{
    return vendor_library_prepare(run, sizeof(struct openblas), &library, symbols, COUNT_OF(symbols), error);
}

static enum status enqueue(struct run *run, struct error *error)
{
    (void)error;
    const struct openblas *openblas = run->state;
    struct dot_product dot = dot_of(run);
    if (dot.type == ELEMENT_F32)
        *(float *)run->buffers[3].host = openblas->sdot((int)dot.count, dot.a, 1, dot.b, 1);
    else
        *dot.result = openblas->ddot((int)dot.count, dot.a, 1, dot.b, 1);
    return STATUS_OK;
}

const struct rung dot_openblas = {
    .name = "openblas",
    .idea = "OpenBLAS's cblas_sdot and cblas_ddot",
    .kind = RUNG_VENDOR,
    .backends = BACKEND_CPU,
    .supports = supports,
    .prepare = prepare,
    .finish = vendor_library_finish,
    .enqueue = enqueue,
};
