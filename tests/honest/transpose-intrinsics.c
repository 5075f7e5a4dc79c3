#include <stddef.h>
#if defined(__AVX__)
#include <immintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif
static inline void block(const float *in, float *out, size_t ld_in, size_t ld_out)
{
#if defined(__AVX__)
    for (int h = 0; h < 8; h += 4) {
        __m128 r0 = _mm_loadu_ps(in + (h + 0) * ld_in), r1 = _mm_loadu_ps(in + (h + 1) * ld_in);
        __m128 r2 = _mm_loadu_ps(in + (h + 2) * ld_in), r3 = _mm_loadu_ps(in + (h + 3) * ld_in);
        __m128 s0 = _mm_loadu_ps(in + 4 + (h + 0) * ld_in), s1 = _mm_loadu_ps(in + 4 + (h + 1) * ld_in);
        __m128 s2 = _mm_loadu_ps(in + 4 + (h + 2) * ld_in), s3 = _mm_loadu_ps(in + 4 + (h + 3) * ld_in);
        _MM_TRANSPOSE4_PS(r0, r1, r2, r3);
        _MM_TRANSPOSE4_PS(s0, s1, s2, s3);
        _mm_storeu_ps(out + h, r0);
        _mm_storeu_ps(out + h + ld_out, r1);
        _mm_storeu_ps(out + h + 2 * ld_out, r2);
        _mm_storeu_ps(out + h + 3 * ld_out, r3);
        _mm_storeu_ps(out + h + 4 * ld_out, s0);
        _mm_storeu_ps(out + h + 5 * ld_out, s1);
        _mm_storeu_ps(out + h + 6 * ld_out, s2);
        _mm_storeu_ps(out + h + 7 * ld_out, s3);
    }
#else
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            out[j * ld_out + i] = in[i * ld_in + j];
#endif
}
void transpose_f32(const float *restrict src, float *restrict dst, size_t h, size_t w)
{
    size_t i, j;
    for (i = 0; i + 8 <= h; i += 8)
        for (j = 0; j + 8 <= w; j += 8)
            block(src + i * w + j, dst + j * h + i, w, h);
    for (i = 0; i < h; i++)
        for (j = i < h / 8 * 8 ? w / 8 * 8 : 0; j < w; j++)
            dst[j * h + i] = src[i * w + j];
}
