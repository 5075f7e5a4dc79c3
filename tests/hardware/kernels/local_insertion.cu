// A local array with divergent indices: each item sorts 24 words of its own by insertion, in local memory.
// args: data, scratch, int(n)
// scratch: 4 * n
// group: 128
// groups: ceil(n / 24 / 128)
extern "C" __global__ void local_insertion(const unsigned *data, unsigned *sorted, int n)
{
    unsigned own[24];
    int first = (blockIdx.x * 128 + threadIdx.x) * 24;
    if (first + 24 > n)
        return;
    for (int i = 0; i < 24; i++) {
        unsigned x = data[first + i];
        int at = i;
        while (at > 0 && own[at - 1] > x) {
            own[at] = own[at - 1];
            at--;
        }
        own[at] = x;
    }
    for (int i = 0; i < 24; i++)
        sorted[first + i] = own[i];
}
