// Course: parallel programming, group 3B
// Author: Anna Smirnova
// Date: 2026-03-04
// args: in, out, int(rows), int(cols)
// group: 16, 16
// groups: ceil(cols / 16), ceil(rows / 16)
__kernel void transpose(__global const ELEMENT *in, __global ELEMENT *out, int rows, int cols)
{
    int col = get_global_id(0), row = get_global_id(1);
    if (row < rows && col < cols)
        out[(long)col * rows + row] = in[(long)row * cols + col];
}
