// Recursion, a stack: each item adds 64 elements by halves; its stack is in local memory.
// args: a, b, int(n)
// group: 128
// groups: ceil(n / 64 / 128)
__device__ __noinline__ float sum_of(const float *x, int count, int step)
{
    if (count == 1)
        return *x;
    float first = sum_of(x, count / 2, step);
    return first + sum_of(x + (long)(count / 2) * step, count - count / 2, step);
}
extern "C" __global__ void recursion_sum(const float *in, float *out, int n)
{
    int item = blockIdx.x * 128 + threadIdx.x, items = n / 64;
    if (item < items)
        out[item] = sum_of(in + item, 64, items);
}
