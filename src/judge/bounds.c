/* Bounds of a child that runs a user's file: one that takes all memory or all of the system's threads is ended before
 * others feel it. */
#include "judge/protocol.h"
#include "judge/user_rung.h"

#define HOST_BYTES ((uint64_t)2 << 30)
#define DEVICE_BYTES ((uint64_t)8 << 30) /* drivers and their compilers have gigabytes of their own */
#define TIMES 32                         /* the arrays, their references, and a file's own memory */

#define THREADS_MOST 4300 /* more than --threads takes */

struct child_limits judge_limits(const struct child_limits *limits)
{
    struct child_limits own = *limits;
    own.threads = user_rung_arguments() ? THREADS_MOST : 0;
    own.rules = judge_rules;
    own.rule_count = judge_rule_count;
    own.folder = user_rung_arguments() ? user_rung_folder() : NULL;
    own.given = user_rung_arguments() ? user_rung_descriptor() : 0;
    return own;
}

uint64_t judge_memory_most(const struct problem *problem, const struct device *device, uint64_t available)
{
    struct array arrays[KERNEL_ARRAYS_MAX];
    const bool on_host = user_rung_is_module() || (device && device->backend->kind == BACKEND_CPU);
    uint64_t most = on_host ? HOST_BYTES : DEVICE_BYTES;
    int count;
    if (!user_rung_arguments() || kernel_describe(problem, arrays, &count, NULL) != STATUS_OK)
        return available;
    for (int i = 0; i < count; i++)
        most = arrays[i].bytes < available / TIMES ? most + TIMES * arrays[i].bytes : available;
    return most < available ? most : available;
}
