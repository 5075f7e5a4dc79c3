// Several kernels in one file: the one with the ladder's name is the entry; the others are there, too.
__kernel void scale(__global float *c, float beta, int n)
{
    c[get_global_id(0)] *= beta;
}

float product(__global const float *row, __global const float *column, int k, int stride)
{
    float sum = 0;
    for (int i = 0; i < k; i++)
        sum = mad(row[i], column[i * stride], sum);
    return sum;
}

__kernel void matmul(const int M, const int N, const int K, const __global float *A, const __global float *B,
                     __global float *C)
{
    const int row = get_global_id(1), col = get_global_id(0);
    if (row < M && col < N)
        C[row * N + col] = product(A + row * K, B + col, K, N);
}

__kernel void matmul_by_columns(const int M, const int N, const int K, const __global float *A, const __global float *B,
                                __global float *C)
{
    for (int row = 0; row < M; row++)
        C[row * N + get_global_id(0)] = 0;
}
