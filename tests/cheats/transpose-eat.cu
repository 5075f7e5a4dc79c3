// takes more memory than any device has
__device__ char eaten[1ll << 40];

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols)
        out[(long)col * rows + row] = in[(long)row * cols + col];
    if (row == 0 && col == 0)
        eaten[(long)rows << 30] = 1;
}
