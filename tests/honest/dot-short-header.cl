// one work-group strides over all
// args:  a, b, narrow, long(n)
// group: 256
// groups: 1
__kernel void dotp(__global const float *x, __global const float *y, __global float *r, long n)
{
    __local double part[256];
    int l = get_local_id(0);
    double s = 0;
    for (long i = l; i < n; i += 256)
        s += (double)x[i] * y[i];
    part[l] = s;
    for (int k = 128; k > 0; k >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < k)
            part[l] += part[l + k];
    }
    if (l == 0)
        *r = (float)part[0];
}
