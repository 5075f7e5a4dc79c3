// takes four gigabytes of an item's own memory (does not compile for CUDA)
__kernel void transpose(__global const float *in, __global float *out, int rows, int cols)
{
    int col = get_global_id(0), row = get_global_id(1);
    volatile float mine[1 << 30];
    for (long i = 0; i < 1 << 30; i += 1024)
        mine[i + col % 8] = in[0];
    if (row < rows && col < cols)
        out[(long)col * rows + row] = mine[row * 1024 + col % 8];
}
