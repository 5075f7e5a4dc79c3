#include "base/mpi_launcher.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"

int mpi_launcher_count(const char **name)
{
    /* Slurm's own number is that of the step; an allocation's would be a batch script's, too. */
    static const char *const counts[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"};
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        const char *text = getenv(counts[i]);
        char *end;
        errno = 0;
        const long count = text ? strtol(text, &end, 10) : 0;
        if (text && end != text && !*end && errno == 0 && count > 0 && count <= INT_MAX) {
            if (name)
                *name = counts[i];
            return (int)count;
        }
    }
    return 0;
}

bool mpi_launcher_is_first(void)
{
    static const char *const ranks[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"};
    for (size_t i = 0; i < COUNT_OF(ranks); i++) {
        const char *rank = getenv(ranks[i]);
        if (rank)
            return strcmp(rank, "0") == 0;
    }
    return true;
}

bool started_by_mpi(void)
{
    return mpi_launcher_count(NULL) > 1 || getenv("OMPI_COMM_WORLD_SIZE"); /* mpirun -n 1: a table of one rank */
}

bool mpi_launcher_lacks_pmix(void)
{
    return mpi_launcher_count(NULL) > 1 && getenv("SLURM_STEP_NUM_TASKS") && !getenv("OMPI_COMM_WORLD_SIZE") &&
           !getenv("PMIX_NAMESPACE");
}
