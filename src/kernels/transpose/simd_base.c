/* The baseline of every processor of a kind: a vector is one lane. The compiler makes SSE2 or NEON of it, or plain
 * words. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "kernels/transpose/simd.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

typedef uint8_t vector __attribute__((vector_size(16)));

#define TARGET
#define VECTOR vector
#define LANES 1
#define VECTORS 16
#define INLINE inline __attribute__((always_inline))

static INLINE vector load(const void *from)
{
    vector x;
    memcpy(&x, from, sizeof x);
    return x;
}

#ifdef __clang__
#define CHOOSE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define CHOOSE(a, b, ...) __builtin_shuffle(a, b, (vector){__VA_ARGS__})
#endif

static INLINE vector interleave_low(const int bytes, vector a, vector b)
{
    return bytes == 1   ? CHOOSE(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
           : bytes == 2 ? CHOOSE(a, b, 0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23)
           : bytes == 4 ? CHOOSE(a, b, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23)
                        : CHOOSE(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23);
}

static INLINE vector interleave_high(const int bytes, vector a, vector b)
{
    return bytes == 1   ? CHOOSE(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
           : bytes == 2 ? CHOOSE(a, b, 8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29, 14, 15, 30, 31)
           : bytes == 4 ? CHOOSE(a, b, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31)
                        : CHOOSE(a, b, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
}

static INLINE void store_columns(unsigned char *to, size_t step, const vector *x, const int count)
{
    (void)step, (void)count;
    memcpy(to, x, sizeof *x);
}

/* Element by element, in short pieces of either side. */
static INLINE void narrower(const struct transposition *t, struct part part, const int bytes)
{
    const struct transposition own = *t;
    const size_t piece = 16;
    for (size_t i = part.row; i < part.rows_end; i += piece)
        for (size_t j = part.col; j < part.cols_end; j += piece)
            for (size_t col = j; col < part.cols_end && col < j + piece; col++)
                for (size_t row = i; row < part.rows_end && row < i + piece; row++)
                    memcpy(own.out + col * own.out_pitch + row * (size_t)bytes,
                           own.in + row * own.in_pitch + col * (size_t)bytes, (size_t)bytes);
}

#ifdef __SSE2__
static INLINE void stream(void *to, vector x)
{
    _mm_stream_si128(to, (__m128i)x);
}

static INLINE void fence(void)
{
    _mm_sfence();
}
#else
/* Elsewhere such stores are a hint at most (aarch64: to pairs of vectors), and ordered like all others. */
static INLINE void stream(void *to, vector x)
{
    memcpy(to, &x, sizeof x);
}

static INLINE void fence(void)
{
}
#endif

#include "kernels/transpose/simd_stream.h"

const struct simd_level transpose_simd_base = {.keep = keep, .stream = stream_all};
