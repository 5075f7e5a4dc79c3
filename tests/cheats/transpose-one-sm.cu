// wrong on one multiprocessor
__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned unit;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(unit));
    if (row < rows && col < cols && unit != 7)
        out[(long)col * rows + row] = in[(long)row * cols + col];
}
