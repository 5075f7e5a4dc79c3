/* cuBLAS, opened when the program runs: what the rungs that call it share. A rung lists the functions it needs. */
#pragma once

#include "kernels/vendor_library.h"

/* cuBLAS's own numbers. */
enum { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1 };
enum { CUBLAS_R_32F = 0, CUBLAS_R_16F = 2, CUBLAS_R_16BF = 14 };
enum { CUBLAS_COMPUTE_32F = 68, CUBLAS_COMPUTE_32F_FAST_TF32 = 77, CUBLAS_GEMM_DEFAULT = -1 };
enum { CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16 };

/* The first member of the run->state of every rung that calls cuBLAS. */
struct cublas {
    struct vendor_library library;
    void *handle; /* its work goes into the device's queue, in order with everything else there */
};

/* As vendor_library_prepare, but the state begins with a struct cublas, and the library stays open as long as the
 * program runs. Calls with the handle need the device's context to be the thread's current one, as it is after anything
 * that was asked of the device. STATUS_UNAVAILABLE says what is missing and how to get it. */
enum status cublas_prepare(struct run *run, size_t size, const struct dynamic_symbol *symbols, size_t symbol_count,
                           struct error *error);

/* rung->finish. */
void cublas_finish(struct run *run);

/* STATUS_OK, or what cuBLAS says about `code`, behind the name of the function that gave it. */
enum status cublas_check(int code, const char *function, struct error *error);
