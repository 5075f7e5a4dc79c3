// Special functions: an exponential, a logarithm, a sine and a root of each element, four times over.
// args: a, b, int(n)
// group: 256
// groups: ceil(n / 256)
extern "C" __global__ void special_functions(const float *__restrict__ in, float *__restrict__ out, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n)
        return;
    float x = in[i];
    for (int j = 0; j < 4; j++)
        x = __expf(-x * x) + __logf(2 + x * x) + __sinf(x) + rsqrtf(1 + x * x);
    out[i] = x;
}
