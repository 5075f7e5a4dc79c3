// A tail: 133 groups for 132 multiprocessors, of which each takes only one.
// args: a, b, int(n)
// group: 1024
// groups: 133
extern "C" __global__ void __launch_bounds__(1024, 1)
    tail_groups(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float kept[12000];
    int t = threadIdx.x;
    for (int i = t; i < 12000; i += 1024)
        kept[i] = in[(blockIdx.x * 12000 + i) % n];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 1000; k++)
        sum = sum * 0.5f + kept[(t + k * 11) % 12000] * kept[(t + 32 * k) % 12000];
    out[blockIdx.x * 1024 + t] = sum;
}
