/* The code that an OpenCL runtime on a processor makes of a rung's kernels. */
#pragma once

#include "explain/compiled/compiled.h"
#include "explain/compiled/recorder.h"

/* Reads the code of what was recorded, for a device of this machine that is a processor (target->device). On x86-64
 * only: decoder_open has been called. */
enum status opencl_code_add(const struct recording *recording, const struct explain_target *target,
                            struct explain_compiled *compiled, struct error *error);

/* The kernel's functions by the classes of x86-64: one kernel for each is added to *compiled, in
 * `form`'s likeness. STATUS_UNAVAILABLE: no memory. */
struct kernel_code;
enum status opencl_code_read(const struct kernel_code *code, const struct explain_kernel *form,
                             struct explain_compiled *compiled, struct error *error);
