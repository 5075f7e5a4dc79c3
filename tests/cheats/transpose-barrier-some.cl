// without end, half of a group waits at a barrier in a loop that depends on the data
// refused as no answer for
// right on a GPU, whose barriers count those that wait there
// group:   16, 16
// groups:  ceil(cols / 16), ceil(rows / 16)
// args:    in, out, rows, cols
__kernel void transpose(__global const ELEMENT *in, __global ELEMENT *out, long rows, long cols)
{
    long col = get_global_id(0), row = get_global_id(1);
    __local int count;
    count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    while (count < 256) {
        if (get_local_id(0) & 1)
            barrier(CLK_LOCAL_MEM_FENCE);
        atomic_inc(&count);
        if (count == 17)
            count = 0;
    }
    if (row < rows && col < cols)
        out[col * rows + row] = in[row * cols + col];
}
