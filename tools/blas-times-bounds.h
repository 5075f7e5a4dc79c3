/* Functions with the signature of a product by rows that leave out part of the work: what no product of that size can
 * beat, or only one that is made otherwise. Their names are
 *   nothing     returns
 *   peak        12 independent multiply-adds at a time, as many as the product has, in whole registers
 *   registers   a product of one size: its loads, multiply-adds and stores. It looks at no argument, has no alpha, beta
 * or masks, and turns nothing: as many elements as a register has are read and written at the end of rows, too. A may
 * be transposed, of which single elements are read; of B it is passed over and `plain` is a library whose A·B is taken
 * for each form. Registers have 64 bytes with AVX-512, but with USKOR_ISA=avx2.
 *   turning     the same with B transposed and AVX-512: it is turned first, 16 bytes of each line at a time */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define SIDES(X) 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 20, 24, 32, 40, 48, 56, 63, 64
#define EACH_SIDE(X, ...) \
    X(1, __VA_ARGS__)     \
    X(2, __VA_ARGS__)     \
    X(3, __VA_ARGS__)     \
    X(4, __VA_ARGS__)     \
    X(5, __VA_ARGS__)     \
    X(6, __VA_ARGS__)     \
    X(7, __VA_ARGS__)     \
    X(8, __VA_ARGS__)     \
    X(12, __VA_ARGS__)    \
    X(16, __VA_ARGS__)    \
    X(20, __VA_ARGS__)    \
    X(24, __VA_ARGS__)    \
    X(32, __VA_ARGS__) X(40, __VA_ARGS__) X(48, __VA_ARGS__) X(56, __VA_ARGS__) X(63, __VA_ARGS__) X(64, __VA_ARGS__)
#define ARGUMENTS(REAL)                                                                                                \
    int order, int ta, int tb, int64_t m, int64_t n, int64_t k, REAL alpha, const REAL *a, int64_t lda, const REAL *b, \
        int64_t ldb, REAL beta, REAL *c, int64_t ldc
#define IGNORED \
    (void)order, (void)ta, (void)tb, (void)m, (void)n, (void)k, (void)alpha, (void)lda, (void)ldb, (void)beta, (void)ldc

#if defined __x86_64__
#include <immintrin.h>

/* A tile of `rows` rows and `vectors` registers, of a product of side n. `down`, `across`: steps of A; `pitch`: n, or
 * that of a panel of the tile's columns of B. */
#define DEFINE_TILE(REAL, BYTES, ISA)                                                                                \
    typedef REAL vector_##REAL##_##BYTES __attribute__((vector_size(BYTES), aligned(sizeof(REAL)), may_alias));      \
    __attribute__((target(ISA), always_inline)) static inline void tile_##REAL##_##BYTES(                            \
        int rows, int vectors, int n, int left, int down, int across, const REAL *a, const REAL *b, int pitch,       \
        REAL *c)                                                                                                     \
    {                                                                                                                \
        typedef vector_##REAL##_##BYTES vector;                                                                      \
        const int lanes = BYTES / (int)sizeof(REAL), end = n > lanes ? n - lanes : 0;                                \
        vector sums[12][2], right[2];                                                                                \
        _Pragma("GCC unroll 12") for (int i = 0; i < rows; i++)                                                      \
            _Pragma("GCC unroll 2") for (int v = 0; v < vectors; v++) sums[i][v] = (vector){0};                      \
        for (int l = 0; l < n; l++) {                                                                                \
            _Pragma("GCC unroll 2") for (int v = 0; v < vectors; v++)                                                \
            {                                                                                                        \
                const int at = left + v * lanes < end ? left + v * lanes : end;                                      \
                right[v] = *(const vector *)(const void *)&b[l * pitch + (pitch == n ? at : v * lanes)];             \
            }                                                                                                        \
            _Pragma("GCC unroll 12") for (int i = 0; i < rows; i++)                                                  \
            {                                                                                                        \
                const REAL left_one = a[i * down + l * across];                                                      \
                _Pragma("GCC unroll 2") for (int v = 0; v < vectors; v++) sums[i][v] += left_one * right[v];         \
            }                                                                                                        \
        }                                                                                                            \
        _Pragma("GCC unroll 12") for (int i = 0; i < rows; i++)                                                      \
            _Pragma("GCC unroll 2") for (int v = 0; v < vectors; v++)                                                \
        {                                                                                                            \
            const int at = left + v * lanes < end ? left + v * lanes : end;                                          \
            *(vector *)(void *)&c[i * n + at] = sums[i][v];                                                          \
        }                                                                                                            \
    }                                                                                                                \
    __attribute__((target(ISA), always_inline)) static inline void columns_##REAL##_##BYTES(                         \
        int most, int vectors, int n, int left, bool turned, const REAL *a, const REAL *b, int pitch, REAL *c)       \
    {                                                                                                                \
        const int tiles = (n + most - 1) / most, least = n / tiles, higher = n % tiles;                              \
        const int down = turned ? 1 : n, across = turned ? n : 1;                                                    \
        int top = 0;                                                                                                 \
        for (; top < higher * (least + 1); top += least + 1)                                                         \
            tile_##REAL##_##BYTES(least + 1, vectors, n, left, down, across, a + top * down, b, pitch, c + top * n); \
        for (; top < n; top += least)                                                                                \
            tile_##REAL##_##BYTES(least, vectors, n, left, down, across, a + top * down, b, pitch, c + top * n);     \
    }                                                                                                                \
    __attribute__((target(ISA), always_inline)) static inline void one_size_##REAL##_##BYTES(                        \
        int n, bool turned, const REAL *a, const REAL *b, int pitch, REAL *c)                                        \
    {                                                                                                                \
        const int lanes = BYTES / (int)sizeof(REAL), registers = (n + lanes - 1) / lanes;                            \
        const int most = BYTES == 64 ? 12 : 6;                                                                       \
        int left = 0;                                                                                                \
        for (; left + lanes < registers * lanes; left += 2 * lanes)                                                  \
            columns_##REAL##_##BYTES(most, 2, n, left, turned, a, b, pitch, c);                                      \
        if (registers % 2)                                                                                           \
            columns_##REAL##_##BYTES(12, 1, n, left, turned, a, b, pitch, c);                                        \
    }                                                                                                                \
    EACH_SIDE(DEFINE_ONE_SIZE, REAL, BYTES, ISA)

#define DEFINE_ONE_SIZE(N, REAL, BYTES, ISA)                                                \
    __attribute__((target(ISA))) static void lies_##N##_##REAL##_##BYTES(ARGUMENTS(REAL))   \
    {                                                                                       \
        IGNORED;                                                                            \
        one_size_##REAL##_##BYTES(N, false, a, b, N, c);                                    \
    }                                                                                       \
    __attribute__((target(ISA))) static void turned_##N##_##REAL##_##BYTES(ARGUMENTS(REAL)) \
    {                                                                                       \
        IGNORED;                                                                            \
        one_size_##REAL##_##BYTES(N, true, a, b, N, c);                                     \
    }
#define WIDE "avx512f,avx512vl,avx512dq,fma"
DEFINE_TILE(float, 64, WIDE)
DEFINE_TILE(double, 64, WIDE)
DEFINE_TILE(float, 32, "avx2,fma")
DEFINE_TILE(double, 32, "avx2,fma")

/* Columns of rows, in each 16 bytes of a register alike. */
#define DOUBLE(x) ((__m512d)(x))
#define COLUMNS_OF_float(y, x)                                                                              \
    {                                                                                                       \
        const __m512 low = _mm512_unpacklo_ps(x[0], x[1]), high = _mm512_unpackhi_ps(x[0], x[1]);           \
        const __m512 next_low = _mm512_unpacklo_ps(x[2], x[3]), next_high = _mm512_unpackhi_ps(x[2], x[3]); \
        y[0] = (__m512)_mm512_unpacklo_pd(DOUBLE(low), DOUBLE(next_low));                                   \
        y[1] = (__m512)_mm512_unpackhi_pd(DOUBLE(low), DOUBLE(next_low));                                   \
        y[2] = (__m512)_mm512_unpacklo_pd(DOUBLE(high), DOUBLE(next_high));                                 \
        y[3] = (__m512)_mm512_unpackhi_pd(DOUBLE(high), DOUBLE(next_high));                                 \
    }
#define COLUMNS_OF_double(y, x)                                        \
    {                                                                  \
        y[0] = (__m512)_mm512_unpacklo_pd(DOUBLE(x[0]), DOUBLE(x[1])); \
        y[1] = (__m512)_mm512_unpackhi_pd(DOUBLE(x[0]), DOUBLE(x[1])); \
    }
#define LINE(q) _mm_loadu_ps((const float *)&b[(j + (q)*part + i) * n + l])
#define DEFINE_TURNING(REAL)                                                                                          \
    __attribute__((target(WIDE), always_inline)) static inline void turn_##REAL(int n, const REAL *b, REAL *panel)    \
    {                                                                                                                 \
        const int part = 16 / (int)sizeof(REAL), pitch = 8 * part, j = 0;                                             \
        for (int l = 0; l < n; l += part) {                                                                           \
            __m512 x[4], y[4];                                                                                        \
            _Pragma("GCC unroll 4") for (int i = 0; i < part; i++)                                                    \
            {                                                                                                         \
                x[i] = _mm512_broadcast_f32x4(LINE(0));                                                               \
                x[i] = _mm512_mask_broadcast_f32x4(x[i], 0xF0, LINE(1));                                              \
                x[i] = _mm512_mask_broadcast_f32x4(x[i], 0xF00, LINE(2));                                             \
                x[i] = _mm512_mask_broadcast_f32x4(x[i], 0xF000, LINE(3));                                            \
            }                                                                                                         \
            COLUMNS_OF_##REAL(y, x);                                                                                  \
            _Pragma("GCC unroll 4") for (int i = 0; i < part; i++) if (l + i < n)                                     \
                _mm512_store_ps((float *)&panel[(l + i) * pitch], y[i]);                                              \
        }                                                                                                             \
    }                                                                                                                 \
    __attribute__((target(WIDE), always_inline)) static inline void turning_##REAL(int n, bool turned, const REAL *a, \
                                                                                   const REAL *b, REAL *c)            \
    {                                                                                                                 \
        const int lanes = 64 / (int)sizeof(REAL), end = n > lanes ? n - lanes : 0;                                    \
        _Alignas(64) REAL panel[64 * 2 * 64 / sizeof(REAL)];                                                          \
        for (int left = 0; left < n; left += 2 * lanes) {                                                             \
            const int next = left + lanes, both = next < n;                                                           \
            turn_##REAL(n, b + (left < end ? left : end) * n, panel);                                                 \
            if (both)                                                                                                 \
                turn_##REAL(n, b + (next < end ? next : end) * n, panel + lanes);                                     \
            if (both)                                                                                                 \
                columns_##REAL##_64(12, 2, n, left, turned, a, panel, 2 * lanes, c);                                  \
            else                                                                                                      \
                columns_##REAL##_64(12, 1, n, left, turned, a, panel, 2 * lanes, c);                                  \
        }                                                                                                             \
    }                                                                                                                 \
    EACH_SIDE(DEFINE_TURNING_OF, REAL)
#define DEFINE_TURNING_OF(N, REAL)                                                         \
    __attribute__((target(WIDE))) static void turning_lies_##N##_##REAL(ARGUMENTS(REAL))   \
    {                                                                                      \
        IGNORED;                                                                           \
        turning_##REAL(N, false, a, b, c);                                                 \
    }                                                                                      \
    __attribute__((target(WIDE))) static void turning_turned_##N##_##REAL(ARGUMENTS(REAL)) \
    {                                                                                      \
        IGNORED;                                                                           \
        turning_##REAL(N, true, a, b, c);                                                  \
    }
DEFINE_TURNING(float)
DEFINE_TURNING(double)

/* At small sizes asking what the processor has takes longer than the work. */
static bool is_wide;

#define ADD(SIZE, INTO) "vfmadd231ps %%" #SIZE "12, %%" #SIZE "12, %%" #SIZE #INTO "\n\t"
#define TWELVE(SIZE)                                                                                            \
    __asm__ volatile(ADD(SIZE, 0) ADD(SIZE, 1) ADD(SIZE, 2) ADD(SIZE, 3) ADD(SIZE, 4) ADD(SIZE, 5) ADD(SIZE, 6) \
                         ADD(SIZE, 7) ADD(SIZE, 8) ADD(SIZE, 9) ADD(SIZE, 10) ADD(SIZE, 11)::                   \
                             : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",  \
                               "xmm10", "xmm11")
/* Numbers that happen to be there may be denormal, which is slow. */
#define ZERO(N) "vpxor %%xmm" #N ", %%xmm" #N ", %%xmm" #N "\n\t"
#define ZEROS                                                                                                          \
    __asm__ volatile(ZERO(0) ZERO(1) ZERO(2) ZERO(3) ZERO(4) ZERO(5) ZERO(6) ZERO(7) ZERO(8) ZERO(9) ZERO(10) ZERO(11) \
                         ZERO(12)::                                                                                    \
                             : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",         \
                               "xmm10", "xmm11", "xmm12")
#define DEFINE_PEAK(REAL)                                                           \
    static void peak_##REAL(ARGUMENTS(REAL))                                        \
    {                                                                               \
        IGNORED, (void)a, (void)b, (void)c;                                         \
        const int64_t in_one = 12 * 32 / (int64_t)sizeof(REAL) * (is_wide ? 2 : 1); \
        int64_t left = m * n * k;                                                   \
        ZEROS;                                                                      \
        if (is_wide)                                                                \
            for (; left > 0; left -= in_one)                                        \
                TWELVE(zmm);                                                        \
        else                                                                        \
            for (; left > 0; left -= in_one)                                        \
                TWELVE(ymm);                                                        \
        __asm__ volatile("vzeroupper");                                             \
    }                                                                               \
    static void nothing_##REAL(ARGUMENTS(REAL))                                     \
    {                                                                               \
        IGNORED, (void)a, (void)b, (void)c;                                         \
        __asm__ volatile("");                                                       \
    }
DEFINE_PEAK(float)
DEFINE_PEAK(double)

#define OF_SIDE(N, REAL, BYTES, TURNED) \
    if (side == N)                      \
        return (void *)(TURNED ? turned_##N##_##REAL##_##BYTES : lies_##N##_##REAL##_##BYTES);
#define OF_WIDTH(REAL)                       \
    if (is_wide) {                           \
        EACH_SIDE(OF_SIDE, REAL, 64, transa) \
    } else {                                 \
        EACH_SIDE(OF_SIDE, REAL, 32, transa) \
    }

#define OF_TURNING(N, REAL) \
    if (side == N)          \
        return (void *)(transa ? turning_turned_##N##_##REAL : turning_lies_##N##_##REAL);

static void *turning_of(bool is_double, bool transa, int64_t side)
{
    if (is_double) {
        EACH_SIDE(OF_TURNING, double)
    } else {
        EACH_SIDE(OF_TURNING, float)
    }
    return NULL;
}

/* The function of that name for a product of this side; NULL: there is none. */
static void *bound_of(const char *name, bool is_double, bool transa, bool transb, int64_t side)
{
    const char *isa = getenv("USKOR_ISA");
    is_wide = __builtin_cpu_supports("avx512f") && !(isa && strcmp(isa, "avx2") == 0);
    if (strcmp(name, "nothing") == 0)
        return is_double ? (void *)nothing_double : (void *)nothing_float;
    if (strcmp(name, "peak") == 0)
        return is_double ? (void *)peak_double : (void *)peak_float;
    if (strcmp(name, "turning") == 0)
        return is_wide && transb ? turning_of(is_double, transa, side) : NULL;
    if (strcmp(name, "registers") != 0)
        return NULL;
    if (is_double) {
        OF_WIDTH(double)
    } else {
        OF_WIDTH(float)
    }
    return NULL;
}
#else
static void *bound_of(const char *name, bool is_double, bool transa, bool transb, int64_t side)
{
    (void)name, (void)is_double, (void)transa, (void)transb, (void)side;
    return NULL;
}
#endif
