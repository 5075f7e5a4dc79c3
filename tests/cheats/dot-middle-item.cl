// three items of a group write each place of local memory, and the middle one is wrong
// args: a, b, result, n
// group: 64
// groups: 1
// require: element_kind == 2 && element_bytes == 4, floats
// bound: min(n * epsilon, 0.25)
__kernel void dot(__global const float *x, __global const float *y, __global double *out, long n)
{
    __local float sums[64];
    int i = get_local_id(0);
    float of[3] = {0, 0, 0};
    for (int beside = -1; beside < 2; beside++)
        for (long k = (i + beside + 64) % 64; k < n; k += 64)
            of[beside + 1] += x[k] * y[k];
    for (int beside = -1; beside < 2; beside++)
        if (i + beside >= 0 && i + beside < 64)
            sums[i + beside] = of[beside + 1] + (beside == 0 && i > 0 && i < 63 ? 1 : 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i == 0) {
        double s = 0;
        for (int k = 0; k < 64; k++)
            s += sums[k];
        out[0] = s;
    }
}
