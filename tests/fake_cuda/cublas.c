/* cuBLAS's geam on host memory, as its manual defines it: matrices are stored by columns, C = α·op(A) + β·op(B). What a
 * user of the real one gets wrong (sizes, pitches, operations, the stream) gives a wrong result or an error here. */
#include <complex.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_cuda.h"

enum { SUCCESS = 0, NOT_INITIALIZED = 1, INVALID_VALUE = 7 };

struct handle {
    void *stream;
};

EXPORT int cublasCreate_v2(struct handle **handle);
EXPORT int cublasDestroy_v2(struct handle *handle);
EXPORT int cublasSetStream_v2(struct handle *handle, void *stream);
EXPORT const char *cublasGetStatusString(int status);

int cublasCreate_v2(struct handle **handle)
{
    *handle = calloc(1, sizeof **handle);
    return fake_cuda.contexts > 0 && *handle ? SUCCESS : NOT_INITIALIZED;
}

int cublasDestroy_v2(struct handle *handle)
{
    free(handle);
    return SUCCESS;
}

int cublasSetStream_v2(struct handle *handle, void *stream)
{
    handle->stream = stream;
    return SUCCESS;
}

const char *cublasGetStatusString(int status)
{
    return status == INVALID_VALUE ? "CUBLAS_STATUS_INVALID_VALUE" : "CUBLAS_STATUS_NOT_INITIALIZED";
}

/* Element (i, j) of op(X). */
#define AT(x, is_transposed, pitch, i, j) x[(is_transposed) ? (j) + (size_t)(i) * (pitch) : (i) + (size_t)(j) * (pitch)]

static bool shapes_fit(const struct handle *handle, int m, int n, bool transpose_a, int pitch_a, bool transpose_b,
                       int pitch_b, int pitch_c)
{
    return handle->stream && m > 0 && n > 0 && pitch_a >= (transpose_a ? n : m) && pitch_b >= (transpose_b ? n : m) &&
           pitch_c >= m;
}

#define GEAM(name, type)                                                                                              \
    EXPORT int name(struct handle *handle, int transpose_a, int transpose_b, int m, int n, const type *alpha,         \
                    const type *a, int pitch_a, const type *beta, const type *b, int pitch_b, type *c, int pitch_c);  \
    int name(struct handle *handle, int transpose_a, int transpose_b, int m, int n, const type *alpha, const type *a, \
             int pitch_a, const type *beta, const type *b, int pitch_b, type *c, int pitch_c)                         \
    {                                                                                                                 \
        if (!shapes_fit(handle, m, n, transpose_a, pitch_a, transpose_b, pitch_b, pitch_c))                           \
            return INVALID_VALUE;                                                                                     \
        if (b == c && (transpose_b || pitch_b != pitch_c))                                                            \
            return INVALID_VALUE;                                                                                     \
        for (int j = 0; j < n; j++)                                                                                   \
            for (int i = 0; i < m; i++) {                                                                             \
                type sum = *alpha * AT(a, transpose_a, pitch_a, i, j);                                                \
                if (*beta != 0)                                                                                       \
                    sum += *beta * AT(b, transpose_b, pitch_b, i, j);                                                 \
                c[i + (size_t)j * pitch_c] = sum;                                                                     \
            }                                                                                                         \
        return SUCCESS;                                                                                               \
    }
GEAM(cublasSgeam, float)
GEAM(cublasDgeam, double)
GEAM(cublasCgeam, float complex)
GEAM(cublasZgeam, double complex)

/* Of floats: C = α·op(A)·op(B) + β·C. Of narrower types nothing is computed, as no kernel made them: the call is
 * written down, with the types. */
enum { R_32F = 0, R_16F = 2, R_16BF = 14, COMPUTE_32F = 68, COMPUTE_FAST_TF32 = 77 };

EXPORT int cublasGemmEx(struct handle *handle, int transpose_a, int transpose_b, int m, int n, int k,
                        const float *alpha, const float *a, int type_a, int pitch_a, const float *b, int type_b,
                        int pitch_b, const float *beta, float *c, int type_c, int pitch_c, int compute, int algorithm);

int cublasGemmEx(struct handle *handle, int transpose_a, int transpose_b, int m, int n, int k, const float *alpha,
                 const float *a, int type_a, int pitch_a, const float *b, int type_b, int pitch_b, const float *beta,
                 float *c, int type_c, int pitch_c, int compute, int algorithm)
{
    const bool is_narrow = type_a == R_16F || type_a == R_16BF;
    if (!handle->stream || type_a != type_b || type_c != R_32F || algorithm != -1 ||
        compute != (is_narrow ? COMPUTE_32F : COMPUTE_FAST_TF32) || (!is_narrow && type_a != R_32F) ||
        pitch_a < (transpose_a ? k : m) || pitch_b < (transpose_b ? n : k) || pitch_c < m)
        return INVALID_VALUE;
    const size_t written = strlen(fake_cuda.functions);
    snprintf(fake_cuda.functions + written, sizeof fake_cuda.functions - written, "gemm of type %d\n", type_a);
    for (int j = 0; j < n && !is_narrow; j++)
        for (int i = 0; i < m; i++) {
            float sum = 0, *at = &c[i + (size_t)j * pitch_c];
            for (int l = 0; l < k; l++)
                sum += AT(a, transpose_a, pitch_a, i, l) * AT(b, transpose_b, pitch_b, l, j);
            *at = *alpha * sum + (*beta != 0 ? *beta * *at : 0);
        }
    return SUCCESS;
}

EXPORT int cublasSgemmStridedBatched(struct handle *handle, int transpose_a, int transpose_b, int m, int n, int k,
                                     const float *alpha, const float *a, int pitch_a, long long step_a, const float *b,
                                     int pitch_b, long long step_b, const float *beta, float *c, int pitch_c,
                                     long long step_c, int count);

int cublasSgemmStridedBatched(struct handle *handle, int transpose_a, int transpose_b, int m, int n, int k,
                              const float *alpha, const float *a, int pitch_a, long long step_a, const float *b,
                              int pitch_b, long long step_b, const float *beta, float *c, int pitch_c, long long step_c,
                              int count)
{
    if (!handle->stream || pitch_a < (transpose_a ? k : m) || pitch_b < (transpose_b ? n : k) || pitch_c < m)
        return INVALID_VALUE;
    for (int p = 0; p < count; p++, a += step_a, b += step_b, c += step_c)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m; i++) {
                float sum = 0, *at = &c[i + (size_t)j * pitch_c];
                for (int l = 0; l < k; l++)
                    sum += AT(a, transpose_a, pitch_a, i, l) * AT(b, transpose_b, pitch_b, l, j);
                *at = *alpha * sum + (*beta != 0 ? *beta * *at : 0);
            }
    return SUCCESS;
}
