/* Start-up common to all children of the judge. */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "base/child_domain.h"
#include "base/child_filter.h"
#include "base/fatal_signal.h"
#include "base/size.h"
#include "judge/protocol.h"
#include "judge/user_rung.h"
#include "lab/bench/interrupt.h"
#include "lab/verification/guard_pages.h"
#include "lab/verification/process_code.h"

#define FILE_MOST ((rlim_t)64 << 20)

static bool describe(const void *address, const void *context, char *text, size_t size)
{
    return guard_pages_describe(address, guard_pages_wrote(context), text, size);
}

void judge_child_begin(bool guarded)
{
    child_filter_install();
    guard_pages_allow(guarded);
    fatal_signal_describe(describe);
}

/* A file in memory is no memory of the process: its limits do not count it. */
static void limit_files(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur <= FILE_MOST)
        return;
    limit.rlim_cur = limit.rlim_max = FILE_MOST;
    setrlimit(RLIMIT_FSIZE, &limit);
}

enum status judge_take_user_rung(int argc, char **argv, struct error *error)
{
    enum status status = user_rung_take(argc, argv, error);
    if (status == STATUS_OK && user_rung_is_module()) {
        process_code_note();
        limit_files();
        child_domain_enter(); /* the filter forbids it */
        child_filter_forbid_programs();
    }
    return status;
}

struct device_job judge_name_device(const struct device *device)
{
    struct device_job job = {0};
    snprintf(job.id, sizeof job.id, "%s", device->id);
    snprintf(job.name, sizeof job.name, "%s", device->properties.name);
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
    under_way_begin(UNDER_WAY_DRIVER, job->id, "", job->id);
    enum status status = device_open(job->id, device, error);
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
