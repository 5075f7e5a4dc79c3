// Double precision by carelessness: sqrt of a double, divided by a double, for each float.
// args: a, b, int(n)
// group: 256
// groups: ceil(n / 256)
extern "C" __global__ void double_root(const float *__restrict__ in, float *__restrict__ out, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        out[i] = sqrt(in[i] * in[i] + 1.0) / 3.0;
}
