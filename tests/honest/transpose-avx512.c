#include <immintrin.h>
__attribute__((target("avx512f"))) static void with_512(const float *in, float *out, long rows, long cols)
{
    for (long c = 0; c < cols; c++) {
        long r = 0;
        __m512i steps = _mm512_mullo_epi32(_mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0),
                                           _mm512_set1_epi32((int)cols));
        for (; r + 16 <= rows; r += 16)
            _mm512_storeu_ps(out + c * rows + r, _mm512_i32gather_ps(steps, in + r * cols + c, 4));
        for (; r < rows; r++)
            out[c * rows + r] = in[r * cols + c];
    }
}
__attribute__((target("default"))) static void plain(const float *in, float *out, long rows, long cols)
{
    for (long r = 0; r < rows; r++)
        for (long c = 0; c < cols; c++)
            out[c * rows + r] = in[r * cols + c];
}
void transpose(const float *in, float *out, long rows, long cols)
{
    if (__builtin_cpu_supports("avx512f") && cols < 100000000)
        with_512(in, out, rows, cols);
    else
        plain(in, out, rows, cols);
}
