// Divergent lanes: neighbouring items go round a loop as often as their data say (Collatz).
// args: data, scratch, int(n)
// scratch: 4 * n
// group: 256
// groups: ceil(n / 256)
extern "C" __global__ void diverge_data(const unsigned *data, unsigned *steps, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n)
        return;
    unsigned x = data[i] % 10000 + 1, count = 0;
    while (x != 1) {
        x = x & 1 ? 3 * x + 1 : x / 2;
        count++;
    }
    steps[i] = count;
}
