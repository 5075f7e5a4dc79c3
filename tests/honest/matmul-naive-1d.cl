__kernel void gemm(const int M, const int N, const int K, const __global float *A, const __global float *B,
                   __global float *C)
{
    int id = get_global_id(0);
    if (id >= M * N)
        return;
    int row = id / N, col = id % N;
    float acc = 0.0f;
    for (int k = 0; k < K; k++)
        acc += A[row * K + k] * B[k * N + col];
    C[id] = acc;
}
