// Strides of pages: neighbouring items read words that are 64 KiB apart.
// args: a, b, int(n)
// group: 256
// groups: 1024
extern "C" __global__ void page_strides(const float *__restrict__ in, float *__restrict__ out, int n)
{
    int item = blockIdx.x * 256 + threadIdx.x, pages = n / 16384;
    float sum = 0;
    for (int i = 0; i < 8; i++)
        sum += in[(long)(item % pages) * 16384 + (item / pages * 8 + i) * 32 % 16384];
    out[item] = sum;
}
