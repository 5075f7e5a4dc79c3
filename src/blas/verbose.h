/* USKOR_BLAS_VERBOSE=1: a line for each call, on standard error, with commas between the fields as oneDNN has them:
 *
 *   uskor_blas_verbose,exec,cblas_sgemm,col,nt,8x8x8,uskor,0.000212,0.000431
 *
 * the name that was called, the order of the arrays, transpositions, sizes, who computed it (uskor, uskor:DEVICE, or
 * the file beneath), milliseconds, and those of the other one on a copy of the result; "-" where that was not measured.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether the variable is set, and not to 0; read once. */
bool blas_is_verbose(void);

/* Times are in nanoseconds; below 0: not measured. `how` is the order and transpositions. */
void blas_report(size_t slot, const char *how, int64_t m, int64_t n, int64_t k, const char *where, double time,
                 double other);
