// Odd-even transposition by one group: slow, and right.
__kernel void sort(__global float *data, int n)
{
    for (int pass = 0; pass < n; pass++) {
        for (int i = (pass & 1) + 2 * (int)get_local_id(0); i + 1 < n; i += 2 * (int)get_local_size(0)) {
            float x = data[i], y = data[i + 1];
            if (x > y || (x == y && signbit(y) && !signbit(x))) {
                data[i] = y;
                data[i + 1] = x;
            }
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
