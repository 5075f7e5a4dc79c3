// The first index counts the rows.
__kernel void matmul(const __global float *A, const __global float *B, __global float *C, const int M, const int N,
                     const int K)
{
    int row = get_global_id(0), col = get_global_id(1);
    if (row >= M || col >= N)
        return;
    float sum = 0;
    for (int i = 0; i < K; i++)
        sum += A[row * K + i] * B[i * N + col];
    C[row * N + col] = sum;
}
