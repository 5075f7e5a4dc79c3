// A row of each tile is fetched by async_work_group_copy.
// args: in, out, int(rows), int(cols)
// group: 16, 1
// groups: ceil(cols / 16), rows
__kernel void transpose(__global const ELEMENT *in, __global ELEMENT *out, int rows, int cols)
{
    __local ELEMENT line[16];
    const int col = get_group_id(0) * 16, row = get_group_id(1);
    const int count = cols - col < 16 ? cols - col : 16;
    event_t copied = async_work_group_copy(line, in + (long)row * cols + col, (size_t)count, 0);
    wait_group_events(1, &copied);
    if ((int)get_local_id(0) < count)
        out[(long)(col + get_local_id(0)) * rows + row] = line[get_local_id(0)];
}
