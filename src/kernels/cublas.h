/* cuBLAS, opened when the program runs: what the rungs that call it share. A rung lists the functions it needs. */
#ifndef USKOR_KERNELS_CUBLAS_H
#define USKOR_KERNELS_CUBLAS_H

#include "backends/backend.h"
#include "backends/dynamic_library.h"

/* cuBLAS's own numbers. */
enum { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1 };

/* Opens the library (once; it stays open as long as the program runs), fills `functions` from `symbols`, and makes a
 * handle whose work goes into the device's queue, in order with everything else there. The caller gives the handle back
 * with cublas_close. Calls with the handle need the device's context to be the thread's current one, as it is after
 * anything that was asked of the device. STATUS_UNAVAILABLE says what is missing and how to get it. */
enum status cublas_open(struct device *device, const struct dynamic_symbol *symbols, size_t symbol_count,
                        void *functions, void **handle, struct error *error);
void cublas_close(void *handle); /* NULL is fine */

/* STATUS_OK, or what cuBLAS says about `code`, behind the name of the function that gave it. */
enum status cublas_check(int code, const char *function, struct error *error);

#endif
