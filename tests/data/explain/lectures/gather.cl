// rung: gather
// idea: words from places all over
// entry: gather
// args: a, scratch, n
// scratch: 4 * n
// group: 256
// groups: ceil(n / 256)
__kernel void gather(__global const float *table, __global float *picked, long n)
{
    long i = get_group_id(0) * 256 + get_local_id(0);
    picked[i] = table[i * 7919 % n];
}
