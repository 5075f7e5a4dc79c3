/* Highway's vqsort, through its shim. Its order of floats is not ours (-0 and +0 are equal, and NaNs lose their bits),
 * so it sorts unsigned keys, which costs one more read and write before and after, on the clock. */
#include "base/size.h"
#include "base/translation.h"
#include "kernels/sort/sort.h"
#include "kernels/vendor_shim.h"

static struct {
    void (*sort)(void *keys, size_t count, size_t bytes);
} hwy;

static const struct dynamic_symbol symbols[] = {{"uskor_hwy_sort", 0, 0}};

static struct vendor_shim shim = {
    .file = "libuskor_hwy.so",
    .title = "Highway's shim",
    .advice = N_("it is built with Uskor where a C++ compiler and Highway are (Debian: g++, libhwy-dev)"),
    .symbols = symbols,
    .symbol_count = COUNT_OF(symbols),
    .functions = &hwy,
};

static const char *supports(const struct problem *problem, const struct device *device,
                            const struct parameters *parameters, char *reason, size_t size)
{
    (void)problem, (void)device, (void)parameters;
    return vendor_shim_refuses(&shim, reason, size);
}

static enum status enqueue(struct run *run, struct error *error)
{
    (void)error;
    struct sorting sorting = sorting_of(run);
    keys_from_elements(&sorting, sorting.data, sorting.data);
    hwy.sort(sorting.data, sorting.count, sorting.bytes);
    elements_from_keys(&sorting, sorting.data, sorting.data);
    return STATUS_OK;
}

const struct rung sort_vqsort = {
    .name = "vqsort",
    .idea = "Highway's vectorised quicksort, of unsigned keys, with one thread",
    .kind = RUNG_VENDOR,
    .backends = BACKEND_CPU,
    .supports = supports,
    .enqueue = enqueue,
};
