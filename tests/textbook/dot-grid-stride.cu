// A dot product in a grid-stride loop, with an atomic sum of the blocks.
extern "C" __global__ void __launch_bounds__(256)
    dot(const float *__restrict__ x, const float *__restrict__ y, double *out, size_t n)
{
    double sum = 0;
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += (double)x[i] * y[i];
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, d);
    __shared__ double warps[8];
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 1; i < 8; i++)
            sum += warps[i];
        *out = sum;
    }
}
