// Uncoalesced loads: neighbouring items read a column; 64-bit indices, no __restrict__.
// args: in, out, rows, cols
// group: 32, 8
// groups: ceil(rows / 32), ceil(cols / 8)
extern "C" __global__ void transpose_loads64(float *in, float *out, size_t rows, size_t cols)
{
    size_t x = blockIdx.x * (size_t)blockDim.x + threadIdx.x, y = blockIdx.y * (size_t)blockDim.y + threadIdx.y;
    if (x < rows && y < cols)
        out[y * rows + x] = in[x * cols + y];
}
