// with beta = 0 it forgets ldc and writes rows of N elements
// on matmul:m=64,n=48,k=32,ldc_pad=5
// refused as compared are wrong
__kernel void matmul(int M, int N, int K, float alpha, __global const float *A, int lda, __global const float *B,
                     int ldb, float beta, __global float *C, int ldc)
{
    int row = get_global_id(1), col = get_global_id(0);
    if (row >= M || col >= N)
        return;
    float sum = 0;
    for (int l = 0; l < K; l++)
        sum += A[row * lda + l] * B[l * ldb + col];
    if (beta == 0)
        C[row * N + col] = alpha * sum; /* ldc forgotten where beta is 0 */
    else
        C[row * ldc + col] = alpha * sum + beta * C[row * ldc + col];
}
