// in order, with new keys that only look like those on (0, 1)
__kernel void sort(__global float *data, int n)
{
    for (int i = get_local_id(0); i < n; i += get_local_size(0))
        data[i] = (i + 0.5f) / n;
}
