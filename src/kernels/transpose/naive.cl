// rung:    naive
// idea:    one item per element; one side of global memory is walked across its rows
// tune:    BX = 4 in 1 2 4 8 16 32 64 128 256 512 1024
// tune:    BY = 64 in 1 2 4 8 16 32 64 128 256 512 1024
// group:   BX, BY
// groups:  ceil(cols / BX), ceil(rows / BY)

__kernel void transpose(__global const ELEMENT *in, __global ELEMENT *out, long rows, long cols)
{
    // begin copy
    long col = get_global_id(0);
    long row = get_global_id(1);
    if (row < rows && col < cols)
        out[col * rows + row] = in[row * cols + col];
    // end copy
}
