// asks for more local memory than any device has
__kernel void transpose(__global const float *in, __global float *out, int rows, int cols)
{
    __local float all[1 << 26];
    int x = get_global_id(0), y = get_global_id(1);
    all[get_local_id(0) * 100 + get_local_id(1)] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x < cols && y < rows)
        out[x * rows + y] = in[y * cols + x] * all[get_local_id(0) * 100 + get_local_id(1)];
}
