// Divergence and barriers: a reduction in shared memory that picks its items by a remainder.
// args: a, scratch, int(n)
// scratch: n / 64
// group: 256
// groups: ceil(n / 256)
extern "C" __global__ void reduce_modulo(const float *in, float *sums, int n)
{
    __shared__ float part[256];
    int t = threadIdx.x;
    part[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (int d = 1; d < blockDim.x; d *= 2) {
        if (t % (2 * d) == 0)
            part[t] += part[t + d];
        __syncthreads();
    }
    if (t == 0)
        sums[blockIdx.x] = part[0];
}
