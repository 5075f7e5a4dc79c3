// A dot product by one block: strided sums, then a tree in shared memory.
__global__ void dot_product(const float *x, const float *y, float *result, int n)
{
    __shared__ float cache[256];
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        sum += x[i] * y[i];
    cache[threadIdx.x] = sum;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s)
            cache[threadIdx.x] += cache[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        *result = cache[0];
}
