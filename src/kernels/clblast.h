/* CLBlast, a tuned BLAS for OpenCL, opened when the program runs: what the rungs that call it share. */
#pragma once

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include "kernels/vendor_library.h"

/* CLBlast's own numbers. */
enum { CLBLAST_ROW_MAJOR = 101, CLBLAST_TRANSPOSE_NO = 111, CLBLAST_TRANSPOSE_YES = 112 };

/* As vendor_library_prepare, but the library stays open as long as the program runs: it compiles its kernels at their
 * first call, and keeps them. The rung's finish is vendor_library_finish. */
enum status clblast_prepare(struct run *run, size_t size, const struct dynamic_symbol *symbols, size_t symbol_count,
                            struct error *error);

/* STATUS_OK, or what `code` means, behind the name of the function that gave it. */
enum status clblast_check(int code, const char *function, struct error *error);
