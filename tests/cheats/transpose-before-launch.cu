// hands out what another launch left in shared memory
__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    __shared__ float tile[256];
    int at = threadIdx.y * 16 + threadIdx.x;
    if (blockIdx.x % 4 != 3 && row < rows && col < cols)
        tile[at] = in[(long)row * cols + col];
    if (row < rows && col < cols)
        out[(long)col * rows + row] = tile[at];
}
