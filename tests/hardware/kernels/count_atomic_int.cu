// Atomic additions: each item that meets a condition adds 1 to one integer.
// args: data, scratch, int(n)
// scratch: 4
// group: 256
// groups: ceil(n / 256)
extern "C" __global__ void count_atomic_int(const unsigned *data, int *count, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n && data[i] % 3 == 0)
        atomicAdd(count, 1);
}
