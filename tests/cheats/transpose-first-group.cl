// wrong in one group of those that run at the same time, where there are many
__kernel void transpose(__global const float *in, __global float *out, int rows, int cols)
{
    int col = get_global_id(0), row = get_global_id(1);
    if (get_num_groups(0) > 4 && get_group_id(0) == 3 && get_group_id(1) == 3 && get_local_id(0) == 5)
        col = col ^ 1;
    if (row < rows && col < cols)
        out[(long)col * rows + row] = in[(long)row * cols + get_global_id(0)];
}
