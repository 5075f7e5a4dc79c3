/* How often the warps of a launch execute each instruction of its machine code, and what its loads and stores touch: by
 * executing warps of some groups from SASS (explain/machine/warp.h). It knows no source, so CUDA C++ and PTX are
 * counted like everything else. */
#pragma once

#include "explain/compiled/compiled.h"
#include "explain/machine/places.h"

/* Fills kernel->executed, is_decided_by_data, lacks_addresses and accesses, of all its launches. The kernel's
 * instructions must be known (is_disassembled). On failure nothing of that is set. */
enum status machine_count(const struct machine_request *request, struct explain_kernel *kernel, struct error *error);

/* Removes these again. */
void machine_forget_counts(struct explain_kernel *kernel);
