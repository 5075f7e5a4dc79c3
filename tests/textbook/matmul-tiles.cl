// Tiles, whose groups along the first axis are rows. A function is given parts of two of them.
#define SIDE 16

float cell(__local const float *row, __local const float *col)
{
    float sum = 0;
    for (int i = 0; i < SIDE; i++)
        sum = fma(row[i], col[i * SIDE], sum);
    return sum;
}

__kernel __attribute__((reqd_work_group_size(SIDE, SIDE, 1))) void
matmul(const int M, const int N, const int K, const __global float *A, const __global float *B, __global float *C)
{
    __local float a[SIDE * SIDE], b[SIDE * SIDE];
    const int row = get_local_id(0), col = get_local_id(1);
    const int to_row = SIDE * get_group_id(0) + row, to_col = SIDE * get_group_id(1) + col;
    float sum = 0;
    for (int tile = 0; tile < (K + SIDE - 1) / SIDE; tile++) {
        const int from_row = SIDE * tile + row, from_col = SIDE * tile + col;
        a[row * SIDE + col] = to_row < M && from_col < K ? A[to_row * K + from_col] : 0;
        b[row * SIDE + col] = from_row < K && to_col < N ? B[from_row * N + to_col] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += cell(&a[row * SIDE], &b[col]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (to_row < M && to_col < N)
        C[to_row * N + to_col] = sum;
}
