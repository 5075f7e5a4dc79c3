/* The functions of `simd` for each instruction set. */
#ifndef USKOR_KERNELS_SORT_SIMD_H
#define USKOR_KERNELS_SORT_SIMD_H

#include "base/size.h"
#include "kernels/sort/sort.h"

/* A range of fewer keys is not worth a task. */
#define TASK_LEAST ((size_t)1 << 14)

/* Sorts `count` elements; called once, inside of a parallel region, of which it takes what it needs as tasks. `depth`
 * splits may be bad before the heap takes over. */
typedef void simd_quicksort(const struct sorting *sorting, int depth);

#if defined(__x86_64__)
simd_quicksort simd_quicksort_avx2, simd_quicksort_avx512;
#endif

#endif
