/* CUB's sorts, through their shim. CUB takes -0 and +0 for equal and puts NaNs with the sign bit first, so floats are
 * mapped to unsigned keys before and back afterwards, on the clock: one more read and write of the array each. */
#include <stdio.h>

#include "base/message.h"
#include "base/size.h"
#include "base/translation.h"
#include "kernels/sort/sort.h"
#include "kernels/vendor_shim.h"
#include "vendor_shims/cub/cub.h"

static struct {
    size_t (*radix_bytes)(size_t count, size_t bytes, size_t value_bytes, int is_order);
    size_t (*merge_bytes)(size_t count, size_t bytes);
    int (*radix_sort)(const struct uskor_cub_sort *sort);
    int (*merge_sort)(const struct uskor_cub_sort *sort);
    const char *(*error)(int code);
} cub;

static const struct dynamic_symbol symbols[] = {
    {"uskor_cub_radix_bytes", 0 * sizeof(void *), 0}, {"uskor_cub_merge_bytes", 1 * sizeof(void *), 0},
    {"uskor_cub_radix_sort", 2 * sizeof(void *), 0},  {"uskor_cub_merge_sort", 3 * sizeof(void *), 0},
    {"uskor_cub_error", 4 * sizeof(void *), 0},
};

static struct vendor_shim shim = {
    .file = "libuskor_cub.so",
    .title = "CUB's shim",
    .advice = N_("it is built with Uskor where CUDA's compiler nvcc is (Debian: nvidia-cuda-toolkit)"),
    .symbols = symbols,
    .symbol_count = COUNT_OF(symbols),
    .functions = &cub,
};

static const char *supports(const struct problem *problem, const struct device *device,
                            const struct parameters *parameters, char *reason, size_t size)
{
    (void)problem, (void)device, (void)parameters;
    return vendor_shim_refuses(&shim, reason, size);
}

/* NaNs are equal, but keep their bits: of keys that do, CUB tells them apart. */
static const char *radix_supports(const struct problem *problem, const struct device *device,
                                  const struct parameters *parameters, char *reason, size_t size)
{
    if (sort_value_bytes(problem) && !sort_is_argsort(problem) && sort_key_order(problem).numbers)
        return explain(reason, size, "moves values with integers alone: it puts equal NaNs in an order of their bits");
    return supports(problem, device, parameters, reason, size);
}

static size_t radix_scratch(const struct problem *problem, const struct device *device,
                            const struct parameters *parameters)
{
    (void)device, (void)parameters;
    return cub.radix_bytes((size_t)problem_size(problem, "n"), element_info(problem->type)->bytes,
                           sort_value_bytes(problem), sort_is_argsort(problem));
}

static size_t merge_scratch(const struct problem *problem, const struct device *device,
                            const struct parameters *parameters)
{
    (void)device, (void)parameters;
    return cub.merge_bytes((size_t)problem_size(problem, "n"), element_info(problem->type)->bytes);
}

/* Of the kernels at work: an illegal address, a launch that failed … Other codes say that CUB cannot work here. */
static bool is_fault(int code)
{
    return code >= 700 && code < 720;
}

static enum status call(struct run *run, int (*sort)(const struct uskor_cub_sort *), struct error *error)
{
    const struct key_order order = key_order(run->problem->type);
    struct uskor_cub_sort job = {
        .data = (void *)run->buffers[0].native,
        .values = run->array_count > 1 ? (void *)run->buffers[1].native : NULL,
        .value_bytes = sort_value_bytes(run->problem),
        .is_order = sort_is_argsort(run->problem),
        .most = order.numbers ? order.numbers : UINT64_MAX,
        .scratch = run->scratch ? (void *)run->scratch->native : NULL,
        .scratch_bytes = run->scratch ? run->scratch->bytes : 0,
        .count = run->arrays[0].cols,
        .bytes = element_info(run->problem->type)->bytes,
        .order = {order.negative, order.always, order.below},
        .stream = run->device->native_queue,
    };
    if (job.count < 2 && !job.is_order)
        return STATUS_OK;
    int code = sort(&job);
    if (code == 0)
        return STATUS_OK;
    return fail(error, is_fault(code) ? STATUS_FAILED : STATUS_UNAVAILABLE, "CUB: %s (cudaError %d)", cub.error(code),
                code);
}

static enum status radix_enqueue(struct run *run, struct error *error)
{
    return call(run, cub.radix_sort, error);
}

static enum status merge_enqueue(struct run *run, struct error *error)
{
    return call(run, cub.merge_sort, error);
}

const struct rung sort_cub_merge = {
    .name = "cub-merge",
    .idea = "CUB's merge sort, which takes any comparison",
    .kind = RUNG_VENDOR,
    .backends = BACKEND_CUDA,
    .supports = supports,
    .scratch = merge_scratch,
    .enqueue = merge_enqueue,
};

const struct rung sort_cub_radix = {
    .name = "cub-radix",
    .idea = "CUB's radix sort, of unsigned keys; floats are mapped to these and back",
    .kind = RUNG_VENDOR,
    .backends = BACKEND_CUDA,
    .takes = "values",
    .supports = radix_supports,
    .scratch = radix_scratch,
    .enqueue = radix_enqueue,
};
