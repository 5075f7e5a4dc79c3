// rung: scan
// idea: prefix sums of 512 elements: a tree of sums up, then down
// entry: scan
// args: a, b, n
// group: 256
// groups: ceil(n / 512)
extern "C" __global__ void scan(const float *in, float *out, long n)
{
    __shared__ float sums[512];
    int item = threadIdx.x, reach = 1;
    long base = blockIdx.x * 512;
    sums[2 * item] = in[base + 2 * item];
    sums[2 * item + 1] = in[base + 2 * item + 1];
    for (int active = 256; active > 0; active /= 2) {
        __syncthreads();
        if (item < active) {
            int left = reach * (2 * item + 1) - 1, right = reach * (2 * item + 2) - 1;
            float l = sums[left], r = sums[right];
            sums[right] = l + r;
        }
        reach *= 2;
    }
    if (item == 0)
        sums[511] = 0;
    for (int active = 1; active < 512; active *= 2) {
        reach /= 2;
        __syncthreads();
        if (item < active) {
            int left = reach * (2 * item + 1) - 1, right = reach * (2 * item + 2) - 1;
            float l = sums[left], r = sums[right];
            sums[left] = r;
            sums[right] = l + r;
        }
    }
    __syncthreads();
    out[base + 2 * item] = sums[2 * item];
    out[base + 2 * item + 1] = sums[2 * item + 1];
}
