// leaves the last of many keys where it was
__kernel void sort(__global float *data, int n)
{
    int last = n > 1000 ? n - 1 : n;
    for (int pass = 0; pass < last; pass++) {
        for (int i = (pass & 1) + 2 * (int)get_local_id(0); i + 1 < last; i += 2 * (int)get_local_size(0))
            if (data[i] > data[i + 1]) {
                float one = data[i];
                data[i] = data[i + 1];
                data[i + 1] = one;
            }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
