// Integer divisions: row and column of an index by / and % of sizes known only at run time, eight times.
// args: in, out, int(rows), int(cols)
// group: 256
// groups: ceil(rows * cols / 256)
extern "C" __global__ void divide_index(const float *__restrict__ in, float *__restrict__ out, int rows, int cols)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= rows * cols)
        return;
    int at = i, found = 0;
    for (int j = 1; j <= 8; j++) {
        int row = at / (cols + j), col = at % (cols - j);
        found ^= row * 3 + col;
        at = at * 5 + j;
        at &= 0x3fffff;
    }
    out[i] = in[i] + found;
}
