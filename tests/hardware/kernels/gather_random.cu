// Scattered loads: each item reads a word from a place that its data name.
// args: data, scratch, int(n)
// scratch: 4 * n
// group: 256
// groups: ceil(n / 256)
extern "C" __global__ void gather_random(const unsigned *__restrict__ data, unsigned *__restrict__ picked, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        picked[i] = data[data[i] % n];
}
