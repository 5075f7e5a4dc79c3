__kernel __attribute__((reqd_work_group_size(128, 1, 1))) void dot4(__global const float *a, __global const float *b,
                                                                    __global float *out, int n)
{
    __local float t[128];
    float s = 0;
    int i = get_local_id(0);
    for (int v = i; v < n / 4; v += 128)
        s += dot(vload4(v, a), vload4(v, b));
    if (i == 0)
        for (int k = n / 4 * 4; k < n; k++)
            s += a[k] * b[k];
    t[i] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int h = 64; h; h /= 2) {
        if (i < h)
            t[i] += t[i + h];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (!i)
        out[0] = t[0];
}
