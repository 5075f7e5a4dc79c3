// Memory bandwidth: a grid-stride loop with __ldg, one element of 4 bytes at a time.
// args: a, b, int(n)
// group: 256
// groups: 264
extern "C" __global__ void saxpy_gridstride(const float *x, float *y, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = 3.0f * __ldg(x + i) + y[i];
}
