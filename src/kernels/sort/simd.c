/* The vectorised quicksort, for processors with AVX-512 or AVX2. */
#include "kernels/sort/simd.h"

#include <stdio.h>

#include "backends/cpu/cpu.h"
#include "base/message.h"

static simd_quicksort *quicksort_here(void)
{
    switch (cpu_isa()) {
#if defined(__x86_64__)
    case CPU_ISA_AVX512:
        return simd_quicksort_avx512;
    case CPU_ISA_AVX2:
        return simd_quicksort_avx2;
#endif
    default:
        return NULL;
    }
}

static const char *supports(const struct problem *problem, const struct device *device,
                            const struct parameters *parameters, char *reason, size_t size)
{
    (void)problem, (void)device, (void)parameters;
    if (quicksort_here())
        return NULL;
    explain(reason, size, "needs AVX-512 or AVX2, and there is %s", cpu_isa_name(cpu_isa()));
    return reason;
}

static enum status enqueue(struct run *run, struct error *error)
{
    (void)error;
    struct sorting sorting = sorting_of(run);
    simd_quicksort *quicksort = quicksort_here();
    int depth = 8;
    for (size_t count = sorting.count; count > 0; count /= 2)
        depth += 2;
#pragma omp parallel if (sorting.count >= 2 * TASK_LEAST)
#pragma omp single
    quicksort(&sorting, depth);
    return STATUS_OK;
}

const struct rung sort_simd = {
    .name = "simd",
    .idea = "quicksort in vectors: they are split by the pivot in registers, and short ranges are sorted there; a task "
            "for each half",
    .kind = RUNG_HOST,
    .backends = BACKEND_CPU,
    .supports = supports,
    .enqueue = enqueue,
};
