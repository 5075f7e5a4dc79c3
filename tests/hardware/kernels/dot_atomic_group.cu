// Atomic additions: one float for each group of 128, all to one address.
// args: a, b, narrow, int(n)
// group: 128
// groups: ceil(n / 128)
extern "C" __global__ void dot_atomic_group(const float *a, const float *b, float *result, int n)
{
    __shared__ float sums[4];
    int i = blockIdx.x * 128 + threadIdx.x;
    float x = i < n ? a[i] * b[i] : 0;
    for (int d = 16; d; d /= 2)
        x += __shfl_down_sync(~0u, x, d);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = x;
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(result, sums[0] + sums[1] + sums[2] + sums[3]);
}
