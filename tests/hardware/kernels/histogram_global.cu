// Atomic additions: 256 bins in global memory, one addition for each item.
// args: data, scratch, int(n)
// scratch: 1024
// group: 256
// groups: ceil(n / 256)
extern "C" __global__ void histogram_global(const unsigned *data, unsigned *bins, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[data[i] >> 24], 1u);
}
