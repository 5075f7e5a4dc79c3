// rung: saxpy
// idea: four elements an item, by words of 16 bytes
// entry: saxpy
// args: a, b, n
// group: 256
// groups: ceil(n / 4 / 256)
__kernel void saxpy(__global const float4 *x, __global float4 *y, long n)
{
    long i = get_group_id(0) * 256 + get_local_id(0);
    float4 u = x[i], v = y[i];
    v.x += 3 * u.x;
    v.y += 3 * u.y;
    v.z += 3 * u.z;
    v.w += 3 * u.w;
    y[i] = v;
}
