#include "kernels/matmul/rows.h"

#include "backends/cpu/cpu.h"

/* A multiplication and an addition with separate roundings; and fused, if the instruction set has that. */
#define APART(x, y, z) ((x) * (y) + (z))
#define FUSED_float __builtin_fmaf
#define FUSED_double __builtin_fma

/* Sums of whole rows are separate vector variables, because gcc puts an array of them in memory. */
#define DEFINE_ROWS(isa, attributes, element, fma)                                                                     \
    attributes static void add_row_##element##_##isa(element *c, const element *b, size_t step, element factor,        \
                                                     size_t count)                                                     \
    {                                                                                                                  \
        if (step != 1) {                                                                                               \
            for (size_t j = 0; j < count; j++)                                                                         \
                c[j] = fma(factor, b[j * step], c[j]);                                                                 \
            return;                                                                                                    \
        }                                                                                                              \
        _Pragma("omp simd") for (size_t j = 0; j < count; j++) c[j] = fma(factor, b[j], c[j]);                         \
    }                                                                                                                  \
                                                                                                                       \
    attributes static void sum_whole_rows_##element##_##isa(element *sums, const element *b, size_t b_down,            \
                                                            const element *a, size_t a_step, size_t depth)             \
    {                                                                                                                  \
        enum { VECTORS = BLOCK * sizeof(element) / 64 };                                                               \
        typedef element vector __attribute__((vector_size(64), aligned(sizeof(element)), may_alias));                  \
        vector local[VECTORS] = {{0}};                                                                                 \
        for (size_t l = 0; l < depth; l++) {                                                                           \
            const vector *row = (const vector *)(const void *)(b + l * b_down);                                        \
            _Pragma("GCC unroll 8") for (size_t v = 0; v < VECTORS; v++) local[v] += row[v] * a[l * a_step];           \
        }                                                                                                              \
        _Pragma("GCC unroll 8") for (size_t v = 0; v < VECTORS; v++)((vector *)(void *)sums)[v] += local[v];           \
    }                                                                                                                  \
                                                                                                                       \
    attributes static void sum_rows_##element##_##isa(element *sums, const element *b, size_t b_down, size_t b_across, \
                                                      const element *a, size_t a_step, size_t depth, size_t count)     \
    {                                                                                                                  \
        if (b_across == 1 && count == BLOCK) {                                                                         \
            sum_whole_rows_##element##_##isa(sums, b, b_down, a, a_step, depth);                                       \
            return;                                                                                                    \
        }                                                                                                              \
        for (size_t l = 0; l < depth; l++)                                                                             \
            add_row_##element##_##isa(sums, b + l * b_down, b_across, a[l * a_step], count);                           \
    }

#define CHOOSE(function, element)                                                       \
    function##_##element *best_##function##_##element(void)                             \
    {                                                                                   \
        static function##_##element *const choices[] = {CHOICES(function##_##element)}; \
        return choices[cpu_isa()];                                                      \
    }

DEFINE_ROWS(base, , float, APART)
DEFINE_ROWS(base, , double, APART)
#if defined(__x86_64__)
DEFINE_ROWS(avx2, __attribute__((target("avx2,fma"))), float, FUSED_float)
DEFINE_ROWS(avx2, __attribute__((target("avx2,fma"))), double, FUSED_double)
DEFINE_ROWS(avx512, __attribute__((target("avx512f,avx2,fma"))), float, FUSED_float)
DEFINE_ROWS(avx512, __attribute__((target("avx512f,avx2,fma"))), double, FUSED_double)
#define CHOICES(name) [CPU_ISA_BASE] = name##_base, [CPU_ISA_AVX2] = name##_avx2, [CPU_ISA_AVX512] = name##_avx512
#elif defined(__aarch64__)
DEFINE_ROWS(neon, , float, FUSED_float)
DEFINE_ROWS(neon, , double, FUSED_double)
#define CHOICES(name) [CPU_ISA_BASE] = name##_base, [CPU_ISA_NEON] = name##_neon
#else
#define CHOICES(name) [CPU_ISA_BASE] = name##_base
#endif

CHOOSE(add_row, float)
CHOOSE(add_row, double)
CHOOSE(sum_rows, float)
CHOOSE(sum_rows, double)
