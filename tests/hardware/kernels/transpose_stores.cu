// Uncoalesced stores: neighbouring items write a column; groups of 16 x 16, 32-bit indices.
// args: in, out, int(rows), int(cols)
// group: 16, 16
// groups: ceil(cols / 16), ceil(rows / 16)
extern "C" __global__ void transpose_stores(const float *__restrict__ in, float *__restrict__ out, int rows, int cols)
{
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < cols && y < rows)
        out[x * rows + y] = in[y * cols + x];
}
