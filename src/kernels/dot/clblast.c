/* CLBlast: the library call of an OpenCL program. */

#include "kernels/clblast.h"
#include "base/size.h"
#include "base/translation.h"
#include "kernels/dot/dot.h"

/* CLBlastSdot(n, result, offset, x, offset, step, y, offset, step, &queue, &event); buffers are cl_mem. */
typedef int clblast_dot(size_t n, void *result, size_t result_offset, void *x, size_t x_offset, size_t x_step, void *y,
                        size_t y_offset, size_t y_step, void **queue, void **event);

struct clblast {
    struct vendor_library library;
    clblast_dot *sdot, *ddot;
};

static const struct dynamic_symbol symbols[] = {
    {"CLBlastSdot", offsetof(struct clblast, sdot), 0},
    {"CLBlastDdot", offsetof(struct clblast, ddot), 0},
};

static const char *supports(const struct problem *problem, const struct device *device,
                            const struct parameters *parameters, char *reason, size_t size)
{
    (void)device, (void)parameters, (void)reason, (void)size;
    return problem->values[0].size == 0 ? N_("CLBlast refuses vectors of no elements") : NULL;
}

static enum status prepare(struct run *run, struct error *error)
{
    return clblast_prepare(run, sizeof(struct clblast), symbols, COUNT_OF(symbols), error);
}

static enum status enqueue(struct run *run, struct error *error)
{
    const struct clblast *clblast = run->state;
    bool is_float = run->problem->type == ELEMENT_F32;
    void *queue = run->device->native_queue;
    int code = (is_float ? clblast->sdot : clblast->ddot)(
        (size_t)run->problem->values[0].size, (void *)run->buffers[is_float ? 3 : 2].native, 0,
        (void *)run->buffers[0].native, 0, 1, (void *)run->buffers[1].native, 0, 1, &queue, NULL);
    return clblast_check(code, is_float ? "CLBlastSdot" : "CLBlastDdot", error);
}

const struct rung dot_clblast = {
    .name = "clblast",
    .idea = "CLBlast's CLBlastSdot and CLBlastDdot",
    .kind = RUNG_VENDOR,
    .backends = BACKEND_OPENCL,
    .supports = supports,
    .prepare = prepare,
    .finish = vendor_library_finish,
    .enqueue = enqueue,
};
