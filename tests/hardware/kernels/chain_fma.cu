// A chain of dependent multiply-adds in too few warps.
// args: a, b, int(n)
// group: 64
// groups: ceil(n / 64)
extern "C" __global__ void chain_fma(const float *__restrict__ in, float *__restrict__ out, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    float x = in[i], y = x;
    for (int j = 0; j < 4096; j++)
        y = y * x + 0.5f;
    out[i] = y;
}
