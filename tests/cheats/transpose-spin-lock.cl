// without end, items of a group wait for a lock that one of them holds
// refused as no answer for
// group:   16, 16
// groups:  ceil(cols / 16), ceil(rows / 16)
// args:    in, out, rows, cols
__kernel void transpose(__global const ELEMENT *in, __global ELEMENT *out, long rows, long cols)
{
    long col = get_global_id(0), row = get_global_id(1);
    __local int lock;
    if (get_local_id(0) == 0 && get_local_id(1) == 0)
        lock = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    while (atomic_xchg(&lock, 1) != 0)
        ;
    if (row < rows && col < cols)
        out[col * rows + row] = in[row * cols + col];
}
