// reads a file of the machine; does not compile
#include </etc/passwd>
__kernel void transpose(__global const float *in, __global float *out, int rows, int cols)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < cols && y < rows)
        out[x * rows + y] = in[y * cols + x];
}
