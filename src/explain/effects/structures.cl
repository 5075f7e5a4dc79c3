// rung:    structures
// idea:    an array of structures of eight words: an item takes USED words of its structure
// tune:    USED = 1 in 1 2 4 8
// group:   256, 1
// groups:  n / 8 / 256, 8 / USED

__kernel void structures(__global const ELEMENT *restrict in, __global ELEMENT *restrict out, long n)
{
    size_t first = get_global_id(0) * 8 + get_group_id(1) * USED;
#pragma unroll
    for (int field = 0; field < USED; field++)
        out[first + field] = in[first + field] + 1;
}
