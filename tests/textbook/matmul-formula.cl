// C = alpha * A * B + beta * C as it stands, which multiplies C by a beta of 0.
__kernel void sgemm(const int M, const int N, const int K, const float alpha, __global const float *A,
                    __global const float *B, const float beta, __global float *C)
{
    const int col = get_global_id(0), row = get_global_id(1);
    if (row < M && col < N) {
        float sum = 0.0f;
        for (int i = 0; i < K; i++)
            sum += A[row * K + i] * B[i * N + col];
        C[row * N + col] = alpha * sum + beta * C[row * N + col];
    }
}
