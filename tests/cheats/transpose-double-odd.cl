// of doubles, which only its parameters say: leaves the last row of matrices of more than 64 rows, an odd number
__kernel void transpose(__global const double *in, __global double *out, int rows, int cols)
{
    int col = get_global_id(0), row = get_global_id(1);
    if (row + 1 == rows && rows > 64 && rows % 2 == 1)
        return;
    if (row < rows && col < cols)
        out[(long)col * rows + row] = in[(long)row * cols + col];
}
