// Atomic additions whose result is used: each item that is chosen takes its place from one counter.
// args: data, scratch, int(n)
// scratch: 4 * n + 256
// group: 256
// groups: ceil(n / 256)
extern "C" __global__ void compact_atomic(const unsigned *data, unsigned *chosen, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n)
        return;
    unsigned x = data[i];
    if (x & 1)
        chosen[64 + atomicInc(chosen, n - 1) % n] = x;
}
