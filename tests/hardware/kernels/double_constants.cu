// Double precision by carelessness: constants without an f in a float kernel.
// args: a, b, int(n)
// group: 256
// groups: ceil(n / 256)
extern "C" __global__ void double_constants(const float *__restrict__ in, float *__restrict__ out, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n)
        return;
    float x = in[i], y = 0;
    for (int j = 0; j < 16; j++)
        y = y * 0.9 + x * 0.1;
    out[i] = y;
}
