// half of a group waits for the other half, which never comes
__kernel void transpose(__global const float *in, __global float *out, int rows, int cols)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (get_local_id(0) < 8)
        barrier(CLK_LOCAL_MEM_FENCE);
    else
        return;
    if (x < cols && y < rows)
        out[x * rows + y] = in[y * cols + x];
}
