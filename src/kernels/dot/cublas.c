/* cuBLAS: the library call of a CUDA program. The result stays on the device, in the elements' type. */
#include <limits.h>

#include "base/size.h"
#include "base/translation.h"
#include "kernels/cublas.h"
#include "kernels/dot/dot.h"

enum { POINTER_MODE_DEVICE = 1 }; /* CUBLAS_POINTER_MODE_DEVICE */

struct state {
    struct cublas cublas;
    int (*set_pointer_mode)(void *handle, int mode);
    int (*sdot)(void *handle, int n, const void *x, int x_step, const void *y, int y_step, void *result);
    int (*ddot)(void *handle, int n, const void *x, int x_step, const void *y, int y_step, void *result);
};

static const struct dynamic_symbol symbols[] = {
    {"cublasSetPointerMode_v2", offsetof(struct state, set_pointer_mode), 0},
    {"cublasSdot_v2", offsetof(struct state, sdot), 0},
    {"cublasDdot_v2", offsetof(struct state, ddot), 0},
};

static const char *supports(const struct problem *problem, const struct device *device,
                            const struct parameters *parameters, char *reason, size_t size)
{
    (void)device, (void)parameters, (void)reason, (void)size;
    return problem->values[0].size > INT_MAX ? N_("cublasSdot counts in 32-bit integers") : NULL;
}

static enum status prepare(struct run *run, struct error *error)
{
    enum status status = cublas_prepare(run, sizeof(struct state), symbols, COUNT_OF(symbols), error);
    if (status != STATUS_OK)
        return status;
    const struct state *state = run->state;
    int code = state->set_pointer_mode(state->cublas.handle, POINTER_MODE_DEVICE);
    status = cublas_check(code, "cublasSetPointerMode", error);
    if (status != STATUS_OK)
        cublas_finish(run);
    return status;
}

static enum status enqueue(struct run *run, struct error *error)
{
    const struct state *state = run->state;
    bool is_float = run->problem->type == ELEMENT_F32;
    const void *a = (const void *)run->buffers[0].native, *b = (const void *)run->buffers[1].native;
    void *result = (void *)run->buffers[is_float ? 3 : 2].native;
    int count = (int)run->problem->values[0].size;
    int code = (is_float ? state->sdot : state->ddot)(state->cublas.handle, count, a, 1, b, 1, result);
    return cublas_check(code, is_float ? "cublasSdot" : "cublasDdot", error);
}

const struct rung dot_cublas = {
    .name = "cublas",
    .idea = "cuBLAS's cublasSdot and cublasDdot, the result left on the device",
    .kind = RUNG_VENDOR,
    .backends = BACKEND_CUDA,
    .supports = supports,
    .prepare = prepare,
    .finish = cublas_finish,
    .enqueue = enqueue,
};
