/* What a CUDA program would call: cuBLAS, its result left on the device in the elements' type. */
#include <limits.h>
#include <stdint.h>

#include "base/size.h"
#include "kernels/dot/dot.h"
#include "kernels/vendor_library.h"

enum { POINTER_MODE_DEVICE = 1 }; /* CUBLAS_POINTER_MODE_DEVICE */

struct cublas {
    struct vendor_library library;
    int (*create)(void **handle);
    int (*destroy)(void *handle);
    int (*set_stream)(void *handle, void *stream);
    int (*set_pointer_mode)(void *handle, int mode);
    int (*sdot)(void *handle, int n, const void *x, int x_step, const void *y, int y_step, void *result);
    int (*ddot)(void *handle, int n, const void *x, int x_step, const void *y, int y_step, void *result);
    void *handle;
};

static const struct dynamic_symbol symbols[] = {
    {"cublasCreate_v2", offsetof(struct cublas, create), 0},
    {"cublasDestroy_v2", offsetof(struct cublas, destroy), 0},
    {"cublasSetStream_v2", offsetof(struct cublas, set_stream), 0},
    {"cublasSetPointerMode_v2", offsetof(struct cublas, set_pointer_mode), 0},
    {"cublasSdot_v2", offsetof(struct cublas, sdot), 0},
    {"cublasDdot_v2", offsetof(struct cublas, ddot), 0},
};

static const char *const names[] = {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11", "libcublas.so", NULL};
static const char *const folders[] = {"/usr/local/cuda/lib64", NULL};
static const struct dynamic_library library = {"cuBLAS", names, folders, "install the CUDA toolkit's libcublas"};

static const char *supports(const struct problem *problem, const struct device *device,
                            const struct parameters *parameters, char *reason, size_t size)
{
    (void)device, (void)parameters, (void)reason, (void)size;
    return problem->values[0].size > INT_MAX ? "cublasSdot counts in 32-bit integers" : NULL;
}

static void finish(struct run *run)
{
    struct cublas *cublas = run->state;
    if (cublas->handle)
        cublas->destroy(cublas->handle);
    vendor_library_finish(run);
}

static enum status prepare(struct run *run, struct error *error)
{
    enum status status =
        vendor_library_prepare(run, sizeof(struct cublas), &library, symbols, COUNT_OF(symbols), error);
    if (status != STATUS_OK)
        return status;
    struct cublas *cublas = run->state;
    int code = cublas->create(&cublas->handle);
    if (code == 0)
        code = cublas->set_stream(cublas->handle, run->device->native_queue);
    if (code == 0)
        code = cublas->set_pointer_mode(cublas->handle, POINTER_MODE_DEVICE);
    if (code == 0)
        return STATUS_OK;
    finish(run);
    return fail(error, STATUS_UNAVAILABLE, "cuBLAS could not be set up (its status is %d)", code);
}

static enum status enqueue(struct run *run, struct error *error)
{
    const struct cublas *cublas = run->state;
    bool is_float = run->problem->type == ELEMENT_F32;
    const void *a = (const void *)run->buffers[0].native, *b = (const void *)run->buffers[1].native;
    void *result = (void *)run->buffers[is_float ? 3 : 2].native;
    int count = (int)run->problem->values[0].size;
    int code = (is_float ? cublas->sdot : cublas->ddot)(cublas->handle, count, a, 1, b, 1, result);
    return code == 0 ? STATUS_OK
                     : fail(error, STATUS_SYSTEM, "cublas%cdot returned status %d", is_float ? 'S' : 'D', code);
}

const struct rung dot_cublas = {
    .name = "cublas",
    .idea = "cuBLAS's cublasSdot and cublasDdot, the result left on the device",
    .kind = RUNG_VENDOR,
    .backends = BACKEND_CUDA,
    .supports = supports,
    .prepare = prepare,
    .finish = finish,
    .enqueue = enqueue,
};
