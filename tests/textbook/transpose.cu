// A transpose as textbooks on CUDA have it: a square matrix, a tile in shared memory.
#define TILE 16

__global__ void transpose_kernel(float *odata, const float *idata, int width)
{
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    if (x < width && y < width)
        tile[threadIdx.y][threadIdx.x] = idata[y * width + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    if (x < width && y < width)
        odata[y * width + x] = tile[threadIdx.x][threadIdx.y];
}
