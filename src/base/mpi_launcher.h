/* What MPI's launcher (mpirun, mpiexec, srun) says to the processes that it starts, by their environment. */
#pragma once

#include <stdbool.h>

/* How many ranks it has started; 0: no launcher is known. By the variables of Open MPI, MPICH, Intel MPI and Slurm.
 * `name` receives that of the variable, and may be NULL. */
int mpi_launcher_count(const char **name);

/* Whether this process is one of a launcher's ranks. A shell that srun has started alone has its variables, too. */
bool started_by_mpi(void);

/* Whether srun has started it as one of several, without PMIx, which Open MPI usually needs then. */
bool mpi_launcher_lacks_pmix(void);

/* Whether this process is the launcher's first, or no launcher's: the one that speaks for all before MPI starts. */
bool mpi_launcher_is_first(void);
