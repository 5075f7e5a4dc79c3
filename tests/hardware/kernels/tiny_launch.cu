// A tiny launch: four groups; the launch takes longer than the work.
// args: a, b, int(n)
// group: 256
// groups: ceil(n / 256)
extern "C" __global__ void tiny_launch(const float *__restrict__ in, float *__restrict__ out, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        out[i] = 2 * in[i] + 1;
}
