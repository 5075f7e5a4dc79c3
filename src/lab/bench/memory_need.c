#include "lab/bench/memory_need.h"

#include "base/memory.h"
#include "base/size.h"

/* Bytes of the host's arrays, and of one workspace. Arrays that a run changes have a second copy in each. */
static enum status sizes_of(const struct problem *problem, uint64_t *host, uint64_t *workspace, struct error *error)
{
    struct array arrays[KERNEL_ARRAYS_MAX];
    int count;
    enum status status = kernel_describe(problem, arrays, &count, error);
    *host = *workspace = 0;
    for (int i = 0; status == STATUS_OK && i < count; i++) {
        uint64_t bytes = arrays[i].bytes;
        bool changes = arrays[i].direction == ARRAY_INOUT, answers = arrays[i].direction != ARRAY_IN;
        *host += bytes * (1u + changes + answers);
        *workspace += bytes * (1u + changes);
    }
    return status;
}

static enum status compare(const struct problem *problem, uint64_t host, uint64_t workspace, size_t devices,
                           struct error *error)
{
    char text[PROBLEM_TEXT_MAX];
    uint64_t bytes;
    if (__builtin_mul_overflow(workspace, devices, &bytes) || __builtin_add_overflow(bytes, host, &bytes))
        bytes = UINT64_MAX;
    return memory_suffices(bytes, problem_text(problem, text), error);
}

static bool is_in_hosts_memory(const struct device *device)
{
    return device->properties.is_cpu && !device_is_null(device);
}

enum status memory_need_check(const struct problem *problem, const struct candidate *candidates, size_t count,
                              unsigned copies, struct error *error)
{
    uint64_t host, workspace;
    size_t devices = copies;
    enum status status = sizes_of(problem, &host, &workspace, error);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < count; i++) {
        bool is_new = is_in_hosts_memory(candidates[i].device);
        for (size_t j = 0; j < i; j++)
            is_new = is_new && candidates[j].device != candidates[i].device;
        devices += is_new;
    }
    return compare(problem, host, workspace, devices, error);
}

enum status memory_need_check_on(const struct problem *problem, struct device *device, struct error *error)
{
    uint64_t host, workspace;
    enum status status = sizes_of(problem, &host, &workspace, error);
    return status == STATUS_OK ? compare(problem, host, workspace, is_in_hosts_memory(device), error) : status;
}
