#include "kernels/sort/simd.h"

#include "backends/cpu/cpu.h"

const struct sort_level *sort_level(void)
{
    switch (cpu_isa()) {
#if defined(__x86_64__)
    case CPU_ISA_AVX512:
        return &sort_level_avx512;
    case CPU_ISA_AVX2:
        return &sort_level_avx2;
#elif defined(__aarch64__)
    case CPU_ISA_NEON:
        return &sort_level_neon;
#endif
    default:
        return NULL;
    }
}
