// Scattered atomic additions: floats to places all over 4 MiB, few of them twice.
// args: data, scratch, int(n)
// scratch: 4194304
// group: 256
// groups: ceil(n / 256)
extern "C" __global__ void scatter_atomic(const unsigned *data, float *sums, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        atomicAdd(&sums[data[i] >> 12], 1.5f);
}
