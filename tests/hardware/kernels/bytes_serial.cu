// Narrow, uncoalesced loads: each item walks 64 neighbouring bytes, one at a time.
// args: in, scratch, int(width), int(height)
// scratch: width * height / 16
// group: 256
// groups: ceil(width * height / 16 / 256)
extern "C" __global__ void bytes_serial(const unsigned char *in, unsigned char *sums, int width, int height)
{
    int item = blockIdx.x * 256 + threadIdx.x;
    if (item >= width * height / 16)
        return;
    unsigned sum = 0;
    for (int i = 0; i < 64; i++)
        sum = sum * 31 + in[(long)item * 64 + i];
    sums[item] = sum;
}
