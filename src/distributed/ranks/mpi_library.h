/* The functions of MPI's shim, opened when the program runs. */
#pragma once

#include "base/status.h"
#include "vendor_shims/mpi/mpi.h"

/* Every function of the shim, listed once for the struct's members and the table of symbols. */
#define MPI_FUNCTIONS(apply)                                                                                           \
    apply(start) apply(end) apply(abort) apply(version) apply(error) apply(world) apply(rank) apply(count)             \
        apply(split) apply(split_by_host) apply(free) apply(barrier) apply(rest) apply(broadcast) apply(gather_to_all) \
            apply(all_to_all) apply(sum_to_all) apply(sum_before) apply(exchange) apply(sum) apply(send)               \
                apply(receive) apply(wait) apply(file_open) apply(file_read) apply(file_write) apply(file_close)

#define MPI_MEMBER(name) __typeof__(uskor_mpi_##name) *name;
struct mpi_functions {
    MPI_FUNCTIONS(MPI_MEMBER)
};

/* All NULL before mpi_library_open. */
extern struct mpi_functions mpi;

/* STATUS_UNAVAILABLE, with the package to install, in a build without MPI. */
enum status mpi_library_open(struct error *error);
