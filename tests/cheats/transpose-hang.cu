// never ends
__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    volatile int *flag = (volatile int *)out;
    while (row >= 0 && *flag != 12345678)
        ;
    if (row < rows && col < cols)
        out[(long)col * rows + row] = in[(long)row * cols + col];
}
