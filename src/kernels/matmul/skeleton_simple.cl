// C = A * B, all of N x N floats, as a textbook has it.
__kernel void matmul(__global const float *A, __global const float *B, __global float *C, int N)
{
    int col = get_global_id(0);
    int row = get_global_id(1);
    if (row >= N || col >= N)
        return;
    float sum = 0;
    for (int i = 0; i < N; i++)
        sum += A[row * N + i] * B[i * N + col];
    C[row * N + col] = sum;
}
