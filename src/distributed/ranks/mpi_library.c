#include "distributed/ranks/mpi_library.h"

#include "base/size.h"
#include "base/translation.h"
#include "kernels/vendor_shim.h"

struct mpi_functions mpi;

#define SYMBOL(member) {"uskor_mpi_" #member, offsetof(struct mpi_functions, member), 0},
static const struct dynamic_symbol symbols[] = {MPI_FUNCTIONS(SYMBOL)};

static struct vendor_shim shim = {
    .file = "libuskor_mpi.so",
    .title = N_("the MPI shim"),
    .advice = N_("install an MPI with its headers (Debian: libopenmpi-dev openmpi-bin) and build Uskor again"),
    .symbols = symbols,
    .symbol_count = COUNT_OF(symbols),
    .functions = &mpi,
};

enum status mpi_library_open(struct error *error)
{
    return vendor_shim_open(&shim, error);
}
