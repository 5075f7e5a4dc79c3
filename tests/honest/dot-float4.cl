__kernel void dotp(__global const float4 *a, __global const float4 *b, __global float *result, int n)
{
    if (get_global_id(0) != 0)
        return;
    float s = 0;
    for (int i = 0; i < n / 4; i++)
        s += dot(a[i], b[i]);
    for (int i = n / 4 * 4; i < n; i++)
        s += ((__global const float *)a)[i] * ((__global const float *)b)[i];
    *result = s;
}
