// A chain of dependent loads: the next address is what was loaded.
// args: data, scratch, int(n)
// scratch: 4 * 33792
// group: 256
// groups: 132
extern "C" __global__ void chain_loads(const unsigned *data, unsigned *last, int n)
{
    int item = blockIdx.x * 256 + threadIdx.x;
    unsigned at = item;
    for (int i = 0; i < 128; i++)
        at = data[at % n];
    last[item] = at;
}
