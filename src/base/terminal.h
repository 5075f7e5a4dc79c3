#pragma once

#include <stdbool.h>

/* Whether what is written to this descriptor is read on a terminal as it comes. False for a rank of MPI: Open MPI gives
 * it a terminal, and what the launcher does with the output is not known. */
bool is_terminal(int descriptor);
