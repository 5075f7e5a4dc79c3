// floods the output, and forgets a row
extern "C" __device__ int printf(const char *, ...);
__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    printf("PASS %d %d\n", row, col);
    if (row > 0 && row < rows && col < cols)
        out[(long)col * rows + row] = in[(long)row * cols + col];
}
