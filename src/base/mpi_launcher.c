#include "base/mpi_launcher.h"

#include <stdlib.h>

#include "base/size.h"

bool started_by_mpi(void)
{
    static const char *const marks[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK", "MPI_LOCALNRANKS"};
    for (size_t i = 0; i < COUNT_OF(marks); i++)
        if (getenv(marks[i]))
            return true;
    return false;
}
