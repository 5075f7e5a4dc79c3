/* Which launcher started how many ranks, by the environment alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/mpi_launcher.h"
#include "base/size.h"

static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS",
                                    "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID",
                                    "PMIX_NAMESPACE"};
enum { OPEN_MPI, PMI, SLURM, OPEN_MPI_RANK, PMI_RANK, SLURM_RANK, PMIX, NAMES };

/* A variable whose value is not a positive count is ignored. Several ranks of Slurm alone lack PMIx. A single rank of
 * Open MPI counts as MPI, too. */
static void by_the_environment(void **state)
{
    (void)state;
    static const struct {
        const char *values[NAMES], *name;
        int count;
        bool is_started, lacks_pmix, is_first;
    } rows[] = {
        {{NULL}, NULL, 0, false, false, true},
        {{[OPEN_MPI] = "4", [OPEN_MPI_RANK] = "0"}, "OMPI_COMM_WORLD_SIZE", 4, true, false, true},
        {{[OPEN_MPI] = "4", [OPEN_MPI_RANK] = "3"}, "OMPI_COMM_WORLD_SIZE", 4, true, false, false},
        {{[OPEN_MPI] = "1"}, "OMPI_COMM_WORLD_SIZE", 1, true, false, true},
        {{[PMI] = "2", [PMI_RANK] = "1"}, "PMI_SIZE", 2, true, false, false},
        {{[PMI] = "1"}, "PMI_SIZE", 1, false, false, true},
        {{[SLURM] = "8", [SLURM_RANK] = "7"}, "SLURM_STEP_NUM_TASKS", 8, true, true, false},
        {{[SLURM] = "8", [PMIX] = "space"}, "SLURM_STEP_NUM_TASKS", 8, true, false, true},
        {{[SLURM] = "1"}, "SLURM_STEP_NUM_TASKS", 1, false, false, true},
        {{[SLURM] = "8", [OPEN_MPI] = "8"}, "OMPI_COMM_WORLD_SIZE", 8, true, false, true},
        {{[OPEN_MPI] = "0", [PMI] = "2"}, "PMI_SIZE", 2, true, false, true},
        {{[OPEN_MPI] = "", [PMI] = "3x", [SLURM] = "5"}, "SLURM_STEP_NUM_TASKS", 5, true, false, true},
        {{[PMI] = "-2", [SLURM] = "2147483647"}, "SLURM_STEP_NUM_TASKS", 2147483647, true, true, true},
        {{[SLURM] = "2147483648"}, NULL, 0, false, false, true},
        {{[SLURM] = "99999999999999999999"}, NULL, 0, false, false, true},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const char *name = NULL;
        for (int v = 0; v < NAMES; v++)
            rows[i].values[v] ? setenv(names[v], rows[i].values[v], 1) : unsetenv(names[v]);
        assert_int_equal(mpi_launcher_count(&name), rows[i].count);
        assert_int_equal(mpi_launcher_count(NULL), rows[i].count);
        if (rows[i].name)
            assert_string_equal(name, rows[i].name);
        else
            assert_null(name);
        assert_int_equal(started_by_mpi(), rows[i].is_started);
        assert_int_equal(mpi_launcher_lacks_pmix(), rows[i].lacks_pmix);
        assert_int_equal(mpi_launcher_is_first(), rows[i].is_first);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_the_environment)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
