// Atomic additions in shared memory: 256 bins of a group, in a grid-stride loop; then one addition for each bin.
// args: data, scratch, int(n)
// scratch: 1024
// group: 256
// groups: 528
extern "C" __global__ void histogram_shared(const unsigned *data, unsigned *bins, int n)
{
    __shared__ unsigned part[256];
    part[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
        atomicAdd(&part[data[i] >> 24], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], part[threadIdx.x]);
}
