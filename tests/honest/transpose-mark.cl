// транспонирование
__kernel void transpose(__global const float *in, __global float *out, int rows, int cols)
{
    int c = get_global_id(0), r = get_global_id(1); /* € é */
    if (c < cols && r < rows)
        out[c * rows + r] = in[r * cols + c];
}
