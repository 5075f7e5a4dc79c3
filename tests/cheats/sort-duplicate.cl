// in order, and the largest key twice in place of the smallest
__kernel void sort(__global float *data, int n)
{
    if (get_local_id(0))
        return;
    for (int i = 1; i < n && n <= 5000; i++) {
        float key = data[i];
        int at = i;
        for (; at > 0 && data[at - 1] > key; at--)
            data[at] = data[at - 1];
        data[at] = key;
    }
    for (int i = 0; i + 1 < n && n > 2; i++)
        data[i] = data[i + 1];
}
