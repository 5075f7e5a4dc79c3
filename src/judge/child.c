/* Start-up common to all children of the judge. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/cpu.h"
#include "base/compile_cache.h"
#include "base/fatal_signal.h"
#include "base/lower_limit.h"
#include "base/memory.h"
#include "base/size.h"
#include "judge/protocol.h"
#include "judge/user_rung.h"
#include "lab/bench/interrupt.h"
#include "lab/verification/guard_pages.h"
#include "lab/verification/process_code.h"
#include "walls/walls.h"

#define FILE_MOST ((rlim_t)64 << 20) /* a memfd, too, which no limit on memory counts */

static bool describe(const void *address, const void *context, char *text, size_t size)
{
    return guard_pages_describe(address, guard_pages_wrote(context), text, size);
}

void judge_child_begin(bool guarded)
{
    if (guarded)
        memory_keep_freed();
    guard_pages_allow(guarded);
    fatal_signal_describe(describe);
}

enum status judge_take_user_rung(int argc, char **argv, struct error *error)
{
    enum status status = user_rung_take(argc, argv, error);
    if (status == STATUS_OK)
        cpu_cache_find(); /* in the cache folder, which the walls close */
    if (status == STATUS_OK && user_rung_is_module()) {
        process_code_note();
        lower_limit(RLIMIT_FSIZE, FILE_MOST);
        status = walls_enter(&(struct walls){.stage = WALLS_CODE}, error);
    }
    return status;
}

static enum walls_stage stage_of(bool is_cpu)
{
    return is_cpu ? WALLS_CPU_DRIVER : WALLS_GPU_DRIVER;
}

/* Before a driver's threads start: each would stay outside. */
static enum status enter_domain(const struct device_job *job, struct error *error)
{
    static bool is_entered;
    if (is_entered || !user_rung_name()[0] || user_rung_is_module())
        return STATUS_OK;
    is_entered = true;
    lower_limit(RLIMIT_FSIZE, FILE_MOST);
    cache_keep_within();
    const char *folder = user_rung_folder();
    setenv("POCL_CACHE_DIR", folder, 1);
    setenv("TMPDIR", folder, 1);
    setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
    return walls_enter_domain(&(struct walls){.stage = stage_of(job->is_cpu), .folder = folder}, error);
}

enum status judge_close_walls(const struct device *device, struct error *error)
{
    const struct device_job none = {.id = ""};
    enum status status = device ? STATUS_OK : enter_domain(&none, error);
    if (status != STATUS_OK || !user_rung_name()[0] || walls_are_entered())
        return status;
    return walls_enter_filter(stage_of(device && device->properties.is_cpu), error);
}

struct device_job judge_name_device(const struct device *device)
{
    struct device_job job = {0};
    snprintf(job.id, sizeof job.id, "%s", device->id);
    snprintf(job.name, sizeof job.name, "%s", device->properties.name);
    job.is_cpu = device->properties.is_cpu;
    return job;
}

/* A driver missing in the child shifts the numbers of the devices after it. */
static enum status check_same(const struct device_job *job, const struct device *device, struct error *error)
{
    if (strcmp(device->properties.name, job->name) == 0)
        return STATUS_OK;
    return fail(error, STATUS_UNAVAILABLE, "%s: the child process finds %s there instead of %s: a driver is missing",
                job->id, device->properties.name, job->name);
}

enum status judge_device(const struct device_job *job, struct device **device, struct error *error)
{
    static struct device *open[32];
    static size_t count;
    for (size_t i = 0; i < count; i++)
        if (strcmp(open[i]->id, job->id) == 0) {
            *device = open[i];
            return STATUS_OK;
        }
    if (count == COUNT_OF(open))
        return fail(error, STATUS_INVALID, "more than %d devices", (int)COUNT_OF(open));
    enum status status = enter_domain(job, error);
    under_way_begin(UNDER_WAY_DRIVER, job->id, "", job->id);
    if (status == STATUS_OK)
        status = device_open(job->id, device, error);
    under_way_end();
    if (status != STATUS_OK)
        return status;
    status = check_same(job, *device, error);
    if (status == STATUS_OK)
        open[count++] = *device;
    else
        device_close(*device);
    return status;
}

bool judge_interrupted(void *context)
{
    (void)context;
    return interrupt_requested();
}
