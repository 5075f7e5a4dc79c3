#ifndef USKOR_BASE_MPI_LAUNCHER_H
#define USKOR_BASE_MPI_LAUNCHER_H

#include <stdbool.h>

/* Whether MPI's launcher (mpirun, mpiexec, srun) started this process: by the variables that Open MPI, MPICH, PMIx and
 * Intel MPI give their ranks. */
bool started_by_mpi(void);

#endif
