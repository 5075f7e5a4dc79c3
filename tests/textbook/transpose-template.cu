// A transpose whose tile is a template's parameter.
template <int TILE> __device__ void tile_transpose(const float *in, float *out, unsigned rows, unsigned cols)
{
    __shared__ float tile[TILE][TILE + 1];
    unsigned x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x < cols && y < rows)
        tile[threadIdx.y][threadIdx.x] = in[(size_t)y * cols + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    if (x < rows && y < cols)
        out[(size_t)y * rows + x] = tile[threadIdx.x][threadIdx.y];
}

extern "C" __global__ void transpose(const float *in, float *out, unsigned int rows, unsigned int cols)
{
    tile_transpose<16>(in, out, rows, cols);
}
