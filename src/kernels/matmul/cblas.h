/* Shared by the vendors' libraries with a CBLAS interface: OpenBLAS, BLIS and oneMKL differ in their names only. */
#pragma once

#include <stdint.h>

#include "kernels/matmul/matmul.h"
#include "kernels/vendor_library.h"

/* The functions that a library must have, and those of its own. */
struct cblas {
    struct vendor_library library;
    void (*sgemm)(int order, int transa, int transb, int m, int n, int k, float alpha, const float *a, int lda,
                  const float *b, int ldb, float beta, float *c, int ldc);
    void (*dgemm)(int order, int transa, int transb, int m, int n, int k, double alpha, const double *a, int lda,
                  const double *b, int ldb, double beta, double *c, int ldc);
    void (*set_threads)(int threads); /* either of the two */
    void (*set_threads_wide)(int64_t threads);
    void *extra[2]; /* whatever the rung asks to tell which of its kernels the library chose */
};

/* The beginning of a library's symbols. */
/* clang-format off */
#define CBLAS_SYMBOLS {"cblas_sgemm", offsetof(struct cblas, sgemm), 0}, {"cblas_dgemm", offsetof(struct cblas, dgemm), 0}
/* clang-format on */

/* rung->supports: the sizes must fit an int. */
const char *cblas_supports(const struct problem *problem, const struct device *device,
                           const struct parameters *parameters, char *reason, size_t size);

/* rung->prepare: opens the library as run->state, a struct cblas, and gives it as many threads as OpenMP would use. */
enum status cblas_prepare(struct run *run, const struct dynamic_library *library, const struct dynamic_symbol *symbols,
                          size_t symbol_count, struct error *error);
/* rung->enqueue: calls the library once for each product. */
enum status cblas_enqueue(struct run *run, struct error *error);
