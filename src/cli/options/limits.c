#include "cli/options/limits.h"

#include <omp.h>
#include <stddef.h>
#include <sys/resource.h>

#include "cli/options/threads.h"

#define STACK_LEAST ((rlim_t)512 << 10)

enum status limits_check(struct error *error)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < STACK_LEAST)
        return fail(error, STATUS_INVALID, "the stack is limited to %zu KiB (ulimit -s); %zu KiB are needed",
                    (size_t)limit.rlim_cur >> 10, (size_t)STACK_LEAST >> 10);
    if (omp_get_max_threads() > THREADS_MOST)
        return fail(error, STATUS_INVALID, "OMP_NUM_THREADS asks for %d threads; %d are the most",
                    omp_get_max_threads(), THREADS_MOST);
    if (getrlimit(RLIMIT_CPU, &limit) == 0 && limit.rlim_cur == limit.rlim_max && limit.rlim_max != RLIM_INFINITY &&
        limit.rlim_max > 2) {
        limit.rlim_cur -= 1 + limit.rlim_max / 4;
        setrlimit(RLIMIT_CPU, &limit);
    }
    return STATUS_OK;
}
