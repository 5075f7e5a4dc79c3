// rung: padded
// idea: a transposed copy by tiles whose rows have an unused element
// entry: padded
// args: in, out, rows, cols
// group: 32, 8
// groups: ceil(cols / 32), ceil(rows / 32)
extern "C" __global__ void padded(const float *in, float *out, long rows, long cols)
{
    __shared__ float tile[32][33];
    int tx = threadIdx.x, ty = threadIdx.y;
    long x = blockIdx.x * 32, y = blockIdx.y * 32;
    for (int j = ty; j < 32; j += 8)
        if (x + tx < cols && y + j < rows)
            tile[j][tx] = in[(y + j) * cols + x + tx];
    __syncthreads();
    for (int j = ty; j < 32; j += 8)
        if (y + tx < rows && x + j < cols)
            out[(x + j) * rows + y + tx] = tile[tx][j];
}
