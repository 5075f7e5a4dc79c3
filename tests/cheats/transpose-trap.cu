// stops the device
__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (rows > 100)
        __trap();
    if (row < rows && col < cols)
        out[(long)col * rows + row] = in[(long)row * cols + col];
}
