// B is A, of N x N floats, with rows and columns exchanged.
__kernel void transpose(__global const float *A, __global float *B, int N)
{
    int col = get_global_id(0);
    int row = get_global_id(1);
    if (row < N && col < N)
        B[col * N + row] = A[row * N + col];
}
