/* The BLAS beneath: the library that the program would have called without ours. Each family and form has one. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include "blas/names.h"

/* Functions that calls are passed on to; NULL: not found yet, or nothing beneath has the name. */
extern _Atomic(void *) blas_beneath[BLAS_SLOTS];

static inline void *blas_next(size_t slot)
{
    return atomic_load_explicit(&blas_beneath[slot], memory_order_relaxed);
}

/* Finds the function if it was not found before; objects that were loaded since the last search are looked at. NULL:
 * nothing beneath has it. Safe in threads, without a lock. */
void *blas_find(size_t slot);

/* The function that was found, also in a refused family, of which blas_next has none: each of its calls looks again. */
void *blas_beneath_of(size_t slot);

/* Whether the library beneath takes 64-bit integers under this family's names of 32-bit ones: then all is passed on,
 * until one of 32-bit integers is loaded. */
extern atomic_bool blas_refused[FAMILY_COUNT];

static inline bool blas_is_refused(enum blas_family family)
{
    return atomic_load_explicit(&blas_refused[family], memory_order_relaxed);
}

/* Whether a library beneath that was found is an OpenBLAS which runs its kernels for AVX-512. With
 * OPENBLAS_CORETYPE it may run those for AVX2. */
bool blas_has_avx512(void);

/* Where the function beneath is: the file's name without its folder; "-" where there is none. */
const char *blas_where(size_t slot);
