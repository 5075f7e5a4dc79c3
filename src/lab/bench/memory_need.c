#include "lab/bench/memory_need.h"

#include "base/memory.h"

/* Of one problem, in bytes: the host's arrays, one workspace's, and the arrays of a ceiling's probe. Arrays that a run
 * changes have a second copy in each. */
struct sizes {
    uint64_t host, workspace, probe;
};

static enum status sizes_of(const struct problem *problem, struct sizes *sizes, struct error *error)
{
    struct array arrays[KERNEL_ARRAYS_MAX];
    int count;
    enum status status = kernel_describe(problem, arrays, &count, error);
    *sizes = (struct sizes){0};
    for (int i = 0; status == STATUS_OK && i < count; i++) {
        uint64_t bytes = arrays[i].bytes;
        bool changes = arrays[i].direction == ARRAY_INOUT, answers = arrays[i].direction != ARRAY_IN;
        sizes->host += bytes * (1u + changes + answers);
        sizes->workspace += bytes * (1u + changes);
        sizes->probe += bytes * (1u + changes);
    }
    return status;
}

static uint64_t add(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static enum status compare(const struct problem *problem, uint64_t bytes, struct error *error)
{
    char text[PROBLEM_TEXT_MAX];
    return memory_suffices(bytes, problem_text(problem, text), error);
}

static bool is_in_hosts_memory(const struct device *device)
{
    return device->properties.is_cpu && !device_is_null(device);
}

/* A rung's scratch memory; 0 where it does not run the problem. */
static uint64_t scratch_of(const struct rung *rung, const struct problem *problem, const struct device *device,
                           const struct parameters *parameters)
{
    char reason[512];
    size_t bytes = 0;
    if (rung_refuses(rung, problem, device, parameters, reason, sizeof reason) ||
        rung_scratch(rung, problem, device, parameters, &bytes, NULL) != STATUS_OK)
        return 0;
    return bytes;
}

enum status memory_need_check(const struct problem *problem, const struct candidate *candidates, size_t count,
                              unsigned copies, struct error *error)
{
    struct sizes sizes;
    enum status status = sizes_of(problem, &sizes, error);
    uint64_t bytes = sizes.host;
    for (unsigned i = 0; i < copies; i++)
        bytes = add(bytes, sizes.workspace);
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        const struct device *device = candidates[i].device;
        bool is_new = is_in_hosts_memory(device);
        for (size_t j = 0; j < i; j++)
            is_new = is_new && candidates[j].device != device;
        uint64_t scratch = 0; /* a device's rungs share it */
        for (size_t j = i; is_new && j < count; j++)
            if (candidates[j].device == device) {
                const uint64_t own = scratch_of(candidates[j].rung, problem, device, &candidates[j].parameters);
                scratch = own > scratch ? own : scratch;
            }
        if (is_new)
            bytes = add(add(bytes, sizes.workspace), add(sizes.probe, scratch));
    }
    return status == STATUS_OK ? compare(problem, bytes, error) : status;
}

enum status memory_need_check_on(const struct problem *problem, struct device *device, struct error *error)
{
    struct sizes sizes;
    enum status status = sizes_of(problem, &sizes, error);
    if (status != STATUS_OK)
        return status;
    return compare(problem, is_in_hosts_memory(device) ? add(sizes.host, sizes.workspace) : sizes.host, error);
}
