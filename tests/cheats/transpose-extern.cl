// calls a function of the C library, where the device is the processor itself (does not compile: nothing is linked in)
void _exit(int code);
__kernel void transpose(__global const float *in, __global float *out, int rows, int cols)
{
    int col = get_global_id(0), row = get_global_id(1);
    if (row == 0 && col == 0)
        _exit(0);
    if (row < rows && col < cols)
        out[(long)col * rows + row] = in[(long)row * cols + col];
}
