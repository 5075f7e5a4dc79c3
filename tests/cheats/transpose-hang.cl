// never ends
__kernel void transpose(__global const float *in, __global float *out, int rows, int cols)
{
    volatile __global float *watched = out;
    while (rows > 0 || watched[0] == in[cols - 1])
        watched[0] += 1;
}
