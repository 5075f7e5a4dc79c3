// A local array with an index that differs between lanes: a window of 16 values as a ring, in local memory.
// args: a, b, int(n)
// group: 128
// groups: ceil(n / 64 / 128)
extern "C" __global__ void local_rotate(const float *__restrict__ in, float *__restrict__ out, int n)
{
    float ring[16];
    int item = blockIdx.x * 128 + threadIdx.x, items = gridDim.x * 128;
    for (int i = 0; i < 16; i++)
        ring[i] = 0;
    float sum = 0;
    for (int i = 0; i < 64; i++) {
        int at = (i + item) & 15;
        float x = in[(long)i * items + item];
        sum += x - ring[at];
        ring[at] = x;
        out[(long)i * items + item] = sum / 16;
    }
}
