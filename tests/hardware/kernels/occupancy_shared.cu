// Low occupancy: 44 KiB of shared memory for a group of 64 leave ten warps on a multiprocessor.
// args: a, b, int(n)
// group: 64
// groups: ceil(n / 4096)
extern "C" __global__ void occupancy_shared(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float kept[11264];
    int t = threadIdx.x;
    long base = (long)blockIdx.x * 4096;
    for (int i = t; i < 4096; i += 64)
        kept[i] = in[base + i];
    __syncthreads();
    for (int i = t; i < 4096; i += 64)
        out[base + i] = kept[i] + kept[(i + 1) % 4096] + kept[(i + 64) % 4096];
}
