#include "base/terminal.h"

#include <unistd.h>

#include "base/mpi_launcher.h"

bool is_terminal(int descriptor)
{
    return descriptor >= 0 && isatty(descriptor) && !started_by_mpi();
}
