// A local array with divergent indices: each item counts in 64 bins of its own, in local memory.
// args: data, scratch, int(n)
// scratch: 256
// group: 256
// groups: 264
extern "C" __global__ void local_bins(const unsigned *data, unsigned *bins, int n)
{
    unsigned own[64];
    for (int i = 0; i < 64; i++)
        own[i] = 0;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
        own[data[i] % 64]++;
    unsigned most = 0;
    for (int i = 0; i < 64; i++)
        most = max(most, own[(i + threadIdx.x) % 64] * 64 + i);
    atomicMax(&bins[threadIdx.x % 64], most);
}
