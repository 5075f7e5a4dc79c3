// takes the heap of the device, and never gives it back
__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    float *mine = (float *)malloc(1 << 20);
    if (row < rows && col < cols && mine) {
        mine[0] = in[(long)row * cols + col];
        out[(long)col * rows + row] = mine[0];
    }
}
