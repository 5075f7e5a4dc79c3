__kernel void odd_even(__global float *a, int n)
{
    for (int phase = 0; phase < n; phase++) {
        for (int i = 2 * get_local_id(0) + (phase & 1); i + 1 < n; i += 2 * get_local_size(0))
            if (a[i] > a[i + 1]) {
                float t = a[i];
                a[i] = a[i + 1];
                a[i + 1] = t;
            }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
