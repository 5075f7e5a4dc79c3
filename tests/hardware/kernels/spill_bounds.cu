// Spilled registers: launch bounds leave 32 registers of an item to 48 sums.
// args: a, b, int(n)
// group: 1024
// groups: ceil(n / 1024)
extern "C" __global__ void __launch_bounds__(1024, 2)
    spill_bounds(const float *__restrict__ in, float *__restrict__ out, int n)
{
    int i = blockIdx.x * 1024 + threadIdx.x;
    float x = i < n ? in[i] : 0, sum[48];
#pragma unroll
    for (int j = 0; j < 48; j++)
        sum[j] = x * j;
    for (int k = 0; k < 32; k++) {
#pragma unroll
        for (int j = 0; j < 48; j++)
            sum[j] = sum[j] * x + sum[(j + 7) % 48];
    }
    float all = 0;
#pragma unroll
    for (int j = 0; j < 48; j++)
        all += sum[j] * sum[47 - j];
    if (i < n)
        out[i] = all;
}
