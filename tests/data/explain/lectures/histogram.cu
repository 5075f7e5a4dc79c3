// rung: histogram
// idea: bins of a group in shared memory, added to the bins of all
// entry: histogram
// args: data, scratch, n
// scratch: 1024
// group: 256
// groups: 4
extern "C" __global__ void histogram(const unsigned *data, unsigned *bins, long n)
{
    __shared__ unsigned part[256];
    int item = threadIdx.x;
    part[item] = 0;
    __syncthreads();
    for (long i = blockIdx.x * 256 + item; i < n; i += 256 * gridDim.x)
        atomicAdd(&part[data[i] & 255], 1);
    __syncthreads();
    atomicAdd(&bins[item], part[item]);
}
