#include "kernels/matmul/rows.h"

#include "backends/cpu/cpu.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* A multiplication and an addition with separate roundings; and fused, if the instruction set has that. */
#define APART(x, y, z) ((x) * (y) + (z))
#define FUSED_float __builtin_fmaf
#define FUSED_double __builtin_fma

/* A vector of B times an element of A, and the sums. */
#define SUMS_APART(b, a, sums) ((b) * (a) + (sums))
#define SUMS_float_avx2(b, a, sums) ((vector)_mm256_fmadd_ps((__m256)(b), _mm256_set1_ps(a), (__m256)(sums)))
#define SUMS_double_avx2(b, a, sums) ((vector)_mm256_fmadd_pd((__m256d)(b), _mm256_set1_pd(a), (__m256d)(sums)))
#define SUMS_float_avx512(b, a, sums) ((vector)_mm512_fmadd_ps((__m512)(b), _mm512_set1_ps(a), (__m512)(sums)))
#define SUMS_double_avx512(b, a, sums) ((vector)_mm512_fmadd_pd((__m512d)(b), _mm512_set1_pd(a), (__m512d)(sums)))

/* Sums of whole rows are vectors of `bytes` bytes, as wide as the instruction set's registers: gcc keeps wider ones in
 * memory. Half of the 16 registers hold sums at a time. */
#define DEFINE_ROWS(isa, attributes, bytes, element, fma, add)                                                         \
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
        enum { LANES = (bytes) / sizeof(element), VECTORS = BLOCK / LANES < 8 ? BLOCK / LANES : 8 };                   \
        typedef element vector __attribute__((vector_size(bytes), aligned(sizeof(element)), may_alias));               \
        for (size_t first = 0; first < BLOCK; first += (size_t)VECTORS * LANES) {                                      \
            vector local[VECTORS] = {{0}};                                                                             \
            for (size_t l = 0; l < depth; l++) {                                                                       \
                const vector *row = (const vector *)(const void *)(b + l * b_down + first);                            \
                _Pragma("GCC unroll 8") for (size_t v = 0; v < VECTORS; v++) local[v] =                                \
                    add(row[v], a[l * a_step], local[v]);                                                              \
            }                                                                                                          \
            _Pragma("GCC unroll 8") for (size_t v = 0; v < VECTORS; v++)((vector *)(void *)(sums + first))[v] +=       \
                local[v];                                                                                              \
        }                                                                                                              \
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

DEFINE_ROWS(base, , 16, float, APART, SUMS_APART)
DEFINE_ROWS(base, , 16, double, APART, SUMS_APART)
#if defined(__x86_64__)
DEFINE_ROWS(avx2, __attribute__((target("avx2,fma"))), 32, float, FUSED_float, SUMS_float_avx2)
DEFINE_ROWS(avx2, __attribute__((target("avx2,fma"))), 32, double, FUSED_double, SUMS_double_avx2)
DEFINE_ROWS(avx512, __attribute__((target("avx512f,avx2,fma"))), 64, float, FUSED_float, SUMS_float_avx512)
DEFINE_ROWS(avx512, __attribute__((target("avx512f,avx2,fma"))), 64, double, FUSED_double, SUMS_double_avx512)
#define CHOICES(name) [CPU_ISA_BASE] = name##_base, [CPU_ISA_AVX2] = name##_avx2, [CPU_ISA_AVX512] = name##_avx512
#elif defined(__aarch64__)
DEFINE_ROWS(neon, , 16, float, FUSED_float, SUMS_APART)
DEFINE_ROWS(neon, , 16, double, FUSED_double, SUMS_APART)
#define CHOICES(name) [CPU_ISA_BASE] = name##_base, [CPU_ISA_NEON] = name##_neon
#else
#define CHOICES(name) [CPU_ISA_BASE] = name##_base
#endif

CHOOSE(add_row, float)
CHOOSE(add_row, double)
CHOOSE(sum_rows, float)
CHOOSE(sum_rows, double)
