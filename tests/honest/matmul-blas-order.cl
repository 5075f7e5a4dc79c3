__kernel void sgemm(const uint M, const uint N, const uint K, const float alpha, __global const float *restrict A,
                    const uint lda, __global const float *restrict B, const uint ldb, const float beta,
                    __global float *restrict C, const uint ldc)
{
    const uint col = get_global_id(0), row = get_global_id(1);
    if (row >= M || col >= N)
        return;
    float acc = 0.0f;
    for (uint k = 0; k < K; ++k)
        acc = fma(A[row * lda + k], B[k * ldb + col], acc);
    float old = beta != 0.0f ? beta * C[row * ldc + col] : 0.0f;
    C[row * ldc + col] = alpha * acc + old;
}
