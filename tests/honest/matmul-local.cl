// Tiles in local memory, as courses on OpenCL have it.
#define TS 16
__kernel void gemm(const int M, const int N, const int K, const __global float *A, const __global float *B,
                   __global float *C)
{
    const int row = get_local_id(1), col = get_local_id(0);
    const int globalRow = TS * get_group_id(1) + row, globalCol = TS * get_group_id(0) + col;
    __local float Asub[TS][TS], Bsub[TS][TS];
    float acc = 0.0f;
    for (int t = 0; t < (K + TS - 1) / TS; t++) {
        const int tiledRow = TS * t + row, tiledCol = TS * t + col;
        Asub[row][col] = globalRow < M && tiledCol < K ? A[globalRow * K + tiledCol] : 0.0f;
        Bsub[row][col] = tiledRow < K && globalCol < N ? B[tiledRow * N + globalCol] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TS; k++)
            acc += Asub[row][k] * Bsub[k][col];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (globalRow < M && globalCol < N)
        C[globalRow * N + globalCol] = acc;
}
