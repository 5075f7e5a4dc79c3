// rung: gather
// idea: words from places all over
// entry: gather
// args: a, scratch, n
// scratch: 4 * n
// group: 256
// groups: ceil(n / 256)
extern "C" __global__ void gather(const float *table, float *picked, long n)
{
    long i = blockIdx.x * 256 + threadIdx.x;
    picked[i] = table[i * 7919 % n];
}
