/* Products and sums are rounded separately, as every processor can: memory limits most of these loops. */
#include "kernels/matmul/check_loops.h"

#include <stdint.h>
#include <string.h>

#include "backends/cpu/isa.h"

/* ---- written once, compiled for each instruction set ------------------------------------------------------------- */

#define EACH static inline __attribute__((always_inline))

/* `special` becomes NaN once a number is NaN or infinite. */
EACH bool widen(enum element_type type, const void *data, size_t index, size_t count, double *restrict numbers)
{
    double special = 0;
    if (type == ELEMENT_F32) {
        const float *floats = (const float *)data + index;
#pragma omp simd reduction(+ : special)
        for (size_t i = 0; i < count; i++) {
            numbers[i] = (double)floats[i];
            special += numbers[i] - numbers[i];
        }
        return special == 0;
    }
    for (size_t i = 0; i < count; i++)
        numbers[i] = element_number(type, data, index + i);
#pragma omp simd reduction(+ : special)
    for (size_t i = 0; i < count; i++)
        special += numbers[i] - numbers[i];
    return special == 0;
}

EACH double largest(const double *numbers, size_t count)
{
    double most = 0;
#pragma omp simd reduction(max : most)
    for (size_t i = 0; i < count; i++)
        most = fabs(numbers[i]) > most ? fabs(numbers[i]) : most;
    return most;
}

EACH void raise_to(double *restrict most, const double *restrict numbers, size_t count)
{
#pragma omp simd
    for (size_t i = 0; i < count; i++)
        most[i] = fabs(numbers[i]) > most[i] ? fabs(numbers[i]) : most[i];
}

/* Rows at once, so that additions need not wait for each other, and x is read once for all of them. */
EACH void multiply_rows(double (*numbers)[CHECK_CHUNK], const double *x, size_t count, double sums[CHECK_ROWS])
{
    double a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
#pragma omp simd reduction(+ : a, b, c, d, e, f, g, h)
    for (size_t i = 0; i < count; i++) {
        a += numbers[0][i] * x[i], b += numbers[1][i] * x[i];
        c += numbers[2][i] * x[i], d += numbers[3][i] * x[i];
        e += numbers[4][i] * x[i], f += numbers[5][i] * x[i];
        g += numbers[6][i] * x[i], h += numbers[7][i] * x[i];
    }
    sums[0] = a, sums[1] = b, sums[2] = c, sums[3] = d, sums[4] = e, sums[5] = f, sums[6] = g, sums[7] = h;
}

EACH void multiply_columns(double (*numbers)[CHECK_CHUNK], const double factors[CHECK_ROWS], size_t count,
                           double *restrict sums)
{
    const double *const x = factors;
#pragma omp simd
    for (size_t i = 0; i < count; i++)
        sums[i] += ((numbers[0][i] * x[0] + numbers[1][i] * x[1]) + (numbers[2][i] * x[2] + numbers[3][i] * x[3])) +
                   ((numbers[4][i] * x[4] + numbers[5][i] * x[5]) + (numbers[6][i] * x[6] + numbers[7][i] * x[7]));
}

EACH void square(double (*numbers)[CHECK_CHUNK], size_t count)
{
    for (size_t row = 0; row < CHECK_ROWS; row++)
#pragma omp simd
        for (size_t i = 0; i < count; i++)
            numbers[row][i] *= numbers[row][i];
}

/* In three loops, each of vectors: compilers make none of a float whose bits are looked at. */
EACH void round_to_tf32(const double *restrict numbers, size_t count, double *restrict rounded)
{
    for (size_t from = 0; from < count; from += CHECK_TF32) {
        union {
            float floats[CHECK_TF32];
            uint32_t bits[CHECK_TF32];
        } narrow;
#pragma omp simd
        for (size_t i = 0; i < CHECK_TF32; i++)
            narrow.floats[i] = (float)numbers[from + i];
#pragma omp simd
        for (size_t i = 0; i < CHECK_TF32; i++) {
            const uint32_t bits = narrow.bits[i], infinity = 0x7f800000;
            narrow.bits[i] = (bits & infinity) == infinity ? bits : (bits + 0x1000u) & ~0x1fffu;
        }
#pragma omp simd
        for (size_t i = 0; i < CHECK_TF32; i++)
            rounded[from + i] = (double)narrow.floats[i];
    }
}

/* ---- each instruction set ---------------------------------------------------------------------------------------- */

/* Each addition depends on the one before, so `abreast` vectors of `lanes` columns are in registers at the same time:
 * separate variables, because gcc puts an array of them in memory where it does not unroll the loop. */
#define DEFINE_BLOCK(isa, attributes, lanes, abreast)                                                          \
    attributes static void multiply_pieces_##isa(const struct check_pieces *pieces, size_t rows, size_t cols,  \
                                                 size_t depth, check_block sum, check_block squares)           \
    {                                                                                                          \
        typedef double vector __attribute__((vector_size((lanes) * sizeof(double)), aligned(8), may_alias));   \
        for (size_t i = 0; i < rows; i++)                                                                      \
            for (size_t j = 0; j < cols; j += (lanes) * (abreast)) {                                           \
                vector c[abreast], q[abreast] = {{0}};                                                         \
                memcpy(c, &sum[i][j], sizeof c);                                                               \
                if (squares)                                                                                   \
                    memcpy(q, &squares[i][j], sizeof q);                                                       \
                for (size_t k = 0; squares && k < depth; k++) {                                                \
                    _Pragma("GCC unroll 4") for (size_t g = 0; g < (abreast); g++)                             \
                    {                                                                                          \
                        const vector term = pieces->a[i][k] * *(const vector *)&pieces->b[k][j + g * (lanes)]; \
                        c[g] += term;                                                                          \
                        q[g] += term * term;                                                                   \
                    }                                                                                          \
                }                                                                                              \
                for (size_t k = 0; !squares && k < depth; k++) {                                               \
                    _Pragma("GCC unroll 4") for (size_t g = 0; g < (abreast); g++) c[g] +=                     \
                        pieces->a[i][k] * *(const vector *)&pieces->b[k][j + g * (lanes)];                     \
                }                                                                                              \
                memcpy(&sum[i][j], c, sizeof c);                                                               \
                if (squares)                                                                                   \
                    memcpy(&squares[i][j], q, sizeof q);                                                       \
            }                                                                                                  \
    }

#define DEFINE_LOOPS(isa, attributes, lanes, abreast)                                                              \
    attributes static bool widen_##isa(enum element_type type, const void *data, size_t index, size_t count,       \
                                       double *numbers)                                                            \
    {                                                                                                              \
        return widen(type, data, index, count, numbers);                                                           \
    }                                                                                                              \
    attributes static double largest_##isa(const double *numbers, size_t count)                                    \
    {                                                                                                              \
        return largest(numbers, count);                                                                            \
    }                                                                                                              \
    attributes static void raise_to_##isa(double *most, const double *numbers, size_t count)                       \
    {                                                                                                              \
        raise_to(most, numbers, count);                                                                            \
    }                                                                                                              \
    attributes static void multiply_rows_##isa(double(*numbers)[CHECK_CHUNK], const double *x, size_t count,       \
                                               double sums[CHECK_ROWS])                                            \
    {                                                                                                              \
        multiply_rows(numbers, x, count, sums);                                                                    \
    }                                                                                                              \
    attributes static void multiply_columns_##isa(double(*numbers)[CHECK_CHUNK], const double factors[CHECK_ROWS], \
                                                  size_t count, double *sums)                                      \
    {                                                                                                              \
        multiply_columns(numbers, factors, count, sums);                                                           \
    }                                                                                                              \
    attributes static void square_##isa(double(*numbers)[CHECK_CHUNK], size_t count)                               \
    {                                                                                                              \
        square(numbers, count);                                                                                    \
    }                                                                                                              \
    attributes static void round_to_tf32_##isa(const double *numbers, size_t count, double *rounded)               \
    {                                                                                                              \
        round_to_tf32(numbers, count, rounded);                                                                    \
    }                                                                                                              \
    DEFINE_BLOCK(isa, attributes, lanes, abreast)                                                                  \
    static const struct check_loops loops_##isa = {widen_##isa,         largest_##isa,          raise_to_##isa,    \
                                                   multiply_rows_##isa, multiply_columns_##isa, square_##isa,      \
                                                   round_to_tf32_##isa, multiply_pieces_##isa};

DEFINE_LOOPS(base, , 2, 4)
#if defined(__x86_64__)
DEFINE_LOOPS(avx2, __attribute__((target("avx2"))), 4, 4)
DEFINE_LOOPS(avx512, __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2"))), 8, 4)
#endif

const struct check_loops *check_loops(void)
{
    static const struct check_loops *const all[] = {
        [CPU_ISA_BASE] = &loops_base,
        [CPU_ISA_NEON] = &loops_base, /* NEON is part of every aarch64 processor */
#if defined(__x86_64__)
        [CPU_ISA_AVX2] = &loops_avx2,
        [CPU_ISA_AVX512] = &loops_avx512,
#endif
    };
    return all[cpu_isa()];
}
