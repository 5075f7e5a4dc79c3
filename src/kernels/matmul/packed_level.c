/* Which of the instruction sets makes the tiles of `packed`: the processor's, or the one that the user named. */
#include "kernels/matmul/packed.h"

#include "backends/cpu/cpu.h"

const struct packed_level *packed_level(bool is_double)
{
    static const struct packed_level *const levels[][2] = {
        [CPU_ISA_BASE] = {&packed_base_float, &packed_base_double},
        [CPU_ISA_NEON] = {&packed_base_float, &packed_base_double},
#if defined(__x86_64__)
        [CPU_ISA_AVX2] = {&packed_avx2_float, &packed_avx2_double},
        [CPU_ISA_AVX512] = {&packed_avx512_float, &packed_avx512_double},
#endif
    };
    return levels[cpu_isa()][is_double];
}
