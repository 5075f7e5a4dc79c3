#ifdef cl_khr_fp64
typedef double acc_t;
#else
typedef float acc_t;
#endif
__kernel void gemm_nn(__global const float *A, int lda, __global const float *B, int ldb, __global float *C, int ldc,
                      int k, float alpha, float beta, int m, int n)
{
    int c = get_global_id(0), r = get_global_id(1);
    if (c >= n || r >= m)
        return;
    acc_t s = 0;
    for (int i = 0; i < k; ++i)
        s += (acc_t)A[r * lda + i] * B[i * ldb + c];
    C[r * ldc + c] = alpha * s + beta * C[r * ldc + c];
}
