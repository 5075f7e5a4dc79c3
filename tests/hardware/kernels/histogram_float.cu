// Contention in shared memory: weights of four bins are added as floats, which is a loop of compare and swap.
// args: data, scratch, int(n)
// scratch: 16
// group: 256
// groups: 528
extern "C" __global__ void histogram_float(const unsigned *data, float *bins, int n)
{
    __shared__ float part[4];
    if (threadIdx.x < 4)
        part[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
        atomicAdd(&part[data[i] >> 30], 0.5f);
    __syncthreads();
    if (threadIdx.x < 4)
        atomicAdd(&bins[threadIdx.x], part[threadIdx.x]);
}
