// rung: scan
// idea: prefix sums of 512 elements: a tree of sums up, then down
// entry: scan
// args: a, b, n
// group: 256
// groups: ceil(n / 512)
__kernel void scan(__global const float *in, __global float *out, long n)
{
    local_array float sums[512];
    int item = get_local_id(0), reach = 1;
    long base = get_group_id(0) * 512;
    sums[2 * item] = in[base + 2 * item];
    sums[2 * item + 1] = in[base + 2 * item + 1];
    for (int active = 256; active > 0; active /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < active) {
            int left = reach * (2 * item + 1) - 1, right = reach * (2 * item + 2) - 1;
            float l = sums[left], r = sums[right];
            sums[right] = l + r;
        }
        reach *= 2;
    }
    if (item == 0)
        sums[511] = 0;
    for (int active = 1; active < 512; active *= 2) {
        reach /= 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < active) {
            int left = reach * (2 * item + 1) - 1, right = reach * (2 * item + 2) - 1;
            float l = sums[left], r = sums[right];
            sums[left] = r;
            sums[right] = l + r;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[base + 2 * item] = sums[2 * item];
    out[base + 2 * item + 1] = sums[2 * item + 1];
}
