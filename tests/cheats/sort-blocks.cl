// blocks of 64 are in order, the whole is not
__kernel void sort(__global float *data, int n)
{
    for (int block = get_local_id(0) * 64; block < n; block += get_local_size(0) * 64)
        for (int i = block + 1; i < n && i < block + 64; i++) {
            float key = data[i];
            int at = i;
            for (; at > block && data[at - 1] > key; at--)
                data[at] = data[at - 1];
            data[at] = key;
        }
}
