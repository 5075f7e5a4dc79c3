// three groups write each element, and the middle one of these is wrong: right from the first to the last and back.
// The items of a group, but no groups, meet in an atomic operation
__kernel void transpose(__global const float *in, __global float *out, int rows, int cols)
{
    int c = get_global_id(0), r = get_global_id(1), side = get_local_size(0), group = get_group_id(0),
        last = get_num_groups(0) - 1;
    __local int met;
    atomic_xchg(&met, 1);
    for (int beside = -1; beside < 2; beside++) {
        int at = c + side * beside;
        if (at >= 0 && at < cols && r < rows)
            out[at * rows + r] = in[r * cols + at] + (beside == 0 && group > 0 && group < last ? 1 : 0);
    }
}
