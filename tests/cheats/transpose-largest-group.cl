// is wrong with the largest group
// rung:    mine
// idea:    what is new about it, in a line
// tune:    BX = 16 in 8 16 32; BY = 16 in 4 8 16 32
// group:   BX, BY
// groups:  ceil(cols / BX), ceil(rows / BY)
// args:    in, out, rows, cols

// out has cols rows of rows elements. ELEMENT is an unsigned type of the element's size.
__kernel void transpose(__global const ELEMENT *in, __global ELEMENT *out, long rows, long cols)
{
    long col = get_global_id(0);
    long row = get_global_id(1);
    if (row < rows && col < cols)
        out[col * rows + row] =
            get_local_size(0) == 32 && get_local_size(1) == 32 && col == cols - 1 ? in[0] : in[row * cols + col];
}
