/* OpenMP's settings, which are in memory: every later rung's team would be made by them. */
#include <omp.h>
#include <stdint.h>

#include "base/translation.h"
#include "lab/verification/process_parts.h"

enum setting { THREADS, DYNAMIC, LEVELS, SCHEDULE, SETTINGS };

static const char *const messages[SETTINGS] = {
    [THREADS] = N_("left another number of OpenMP threads"),
    [DYNAMIC] = N_("left other settings of OpenMP"),
    [LEVELS] = N_("left other settings of OpenMP"),
    [SCHEDULE] = N_("left other settings of OpenMP"),
};

static int64_t read_setting(enum setting which)
{
    omp_sched_t kind;
    int chunk;
    omp_get_schedule(&kind, &chunk);
    return which == THREADS   ? omp_get_max_threads()
           : which == DYNAMIC ? omp_get_dynamic()
           : which == LEVELS  ? omp_get_max_active_levels()
                              : (int64_t)((uint64_t)chunk << 32 | (uint32_t)kind);
}

static void write_setting(enum setting which, int64_t value)
{
    if (which == THREADS)
        omp_set_num_threads((int)value);
    else if (which == DYNAMIC)
        omp_set_dynamic(value != 0);
    else if (which == LEVELS)
        omp_set_max_active_levels((int)value);
    else
        omp_set_schedule((omp_sched_t)(uint32_t)value, (int)(value >> 32));
}

static int64_t noted[SETTINGS];

void process_openmp_note(void)
{
    for (enum setting i = 0; i < SETTINGS; i++)
        noted[i] = read_setting(i);
}

enum status process_openmp_compare(struct error *error)
{
    enum status status = STATUS_OK;
    for (enum setting i = 0; i < SETTINGS; i++) {
        if (read_setting(i) == noted[i])
            continue;
        write_setting(i, noted[i]);
        status = fail(error, STATUS_FAILED, "%s", messages[i]);
    }
    return status;
}
