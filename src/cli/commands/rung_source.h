/* The source text of a rung, which is built into the program. */
#pragma once

#include "base/embedded.h"
#include "kernels/kernel.h"

/* The file that defines the rung at `place` of the kernel's ladder; NULL: it has none of its own. */
const struct embedded_file *rung_source(const struct kernel *kernel, size_t place);

/* … by names, as measurements have them; NULL also for what is not a rung. */
const struct embedded_file *rung_source_by_name(const char *kernel, const char *rung);
