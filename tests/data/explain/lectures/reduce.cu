// rung: reduce
// idea: sums of warps by shuffles, of the group by its first warp
// entry: reduce
// args: a, b, scratch, n
// scratch: 16
// group: 256
// groups: 4
extern "C" __global__ void reduce(const float *a, const float *b, float *partial, long n)
{
    __shared__ float sums[8];
    int item = threadIdx.x;
    float sum = 0;
    for (long i = blockIdx.x * 256 + item; i < n; i += 256 * gridDim.x)
        sum += a[i] * b[i];
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (item % 32 == 0)
        sums[item / 32] = sum;
    __syncthreads();
    if (item < 32) {
        sum = item < 8 ? sums[item] : 0;
        for (int offset = 4; offset > 0; offset /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, offset);
        if (item == 0)
            partial[blockIdx.x] = sum;
    }
}
