// rung:    arrays
// idea:    a structure of eight arrays: an item takes the word of its number from USED of them
// tune:    USED = 1 in 1 2 4 8
// group:   256, 1
// groups:  n / 8 / 256, 8 / USED

__kernel void structures(__global const ELEMENT *restrict in, __global ELEMENT *restrict out, long n)
{
    size_t items = n / 8;
    size_t first = get_group_id(1) * USED * items + get_global_id(0);
#pragma unroll
    for (int field = 0; field < USED; field++)
        out[first + field * items] = in[first + field * items] + 1;
}
