// Barriers and integer work: each group sorts 512 words in shared memory by a bitonic network.
// args: data, scratch, int(n)
// scratch: 4 * n
// group: 256
// groups: ceil(n / 512)
extern "C" __global__ void sort_shared(const unsigned *data, unsigned *sorted, int n)
{
    __shared__ unsigned keys[512];
    int t = threadIdx.x, base = blockIdx.x * 512;
    keys[t] = data[base + t], keys[t + 256] = data[base + t + 256];
    for (int size = 2; size <= 512; size *= 2)
        for (int d = size / 2; d > 0; d /= 2) {
            __syncthreads();
            int low = 2 * t - (t & (d - 1));
            unsigned x = keys[low], y = keys[low + d];
            if ((x > y) == ((low & size) == 0))
                keys[low] = y, keys[low + d] = x;
        }
    __syncthreads();
    sorted[base + t] = keys[t], sorted[base + t + 256] = keys[t + 256];
}
