/* The C++ library's std::sort, through its shim, of unsigned keys: NaNs have no place in the order of `<`. */
#include <omp.h>
#include <stdio.h>

#include "base/message.h"
#include "base/size.h"
#include "base/translation.h"
#include "kernels/sort/sort.h"
#include "kernels/vendor_shim.h"

static struct {
    void (*sort)(void *keys, size_t count, size_t bytes);
    int (*sort_parallel)(void *keys, size_t count, size_t bytes, int threads);
} library;

static const struct dynamic_symbol symbols[] = {
    {"uskor_std_sort", 0 * sizeof(void *), 0},
    {"uskor_std_sort_parallel", 1 * sizeof(void *), 1},
};

static struct vendor_shim shim = {
    .file = "libuskor_std.so",
    .title = "the C++ library's shim",
    .advice = N_("it is built with Uskor where a C++ compiler is (Debian: g++)"),
    .symbols = symbols,
    .symbol_count = COUNT_OF(symbols),
    .functions = &library,
};

static const char *supports(const struct problem *problem, const struct device *device,
                            const struct parameters *parameters, char *reason, size_t size)
{
    (void)problem, (void)device, (void)parameters;
    return vendor_shim_refuses(&shim, reason, size);
}

static const char *supports_parallel(const struct problem *problem, const struct device *device,
                                     const struct parameters *parameters, char *reason, size_t size)
{
    if (supports(problem, device, parameters, reason, size))
        return reason;
    if (library.sort_parallel)
        return NULL;
    explain(reason, size, "the C++ library's shim was built without oneTBB's headers (Debian: libtbb-dev)");
    return reason;
}

static enum status enqueue(struct run *run, struct error *error)
{
    (void)error;
    struct sorting sorting = sorting_of(run);
    keys_from_elements(&sorting, sorting.data, sorting.data);
    library.sort(sorting.data, sorting.count, sorting.bytes);
    elements_from_keys(&sorting, sorting.data, sorting.data);
    return STATUS_OK;
}

static enum status enqueue_parallel(struct run *run, struct error *error)
{
    struct sorting sorting = sorting_of(run);
    keys_from_elements(&sorting, sorting.data, sorting.data);
    if (library.sort_parallel(sorting.data, sorting.count, sorting.bytes, omp_get_max_threads()) != 0)
        return fail(error, STATUS_UNAVAILABLE, "std-sort-parallel: out of memory");
    elements_from_keys(&sorting, sorting.data, sorting.data);
    return STATUS_OK;
}

const struct rung sort_std_sort = {
    .name = "std-sort",
    .idea = "the C++ library's std::sort: an introsort whose comparison is compiled in",
    .kind = RUNG_VENDOR,
    .backends = BACKEND_CPU,
    .supports = supports,
    .enqueue = enqueue,
};

const struct rung sort_std_sort_parallel = {
    .name = "std-sort-parallel",
    .idea = "std::sort with std::execution::par, on oneTBB's threads",
    .kind = RUNG_VENDOR,
    .backends = BACKEND_CPU,
    .supports = supports_parallel,
    .enqueue = enqueue_parallel,
};
