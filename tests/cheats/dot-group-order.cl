// counts on the groups running one after another: the last group adds what the others left in the result
// rung: mine
// group: 64
// groups: 2
// args: a, b, result, n
// entry: dot_product
// bound: min(n * epsilon, 0.25)
// needs: double

__kernel void dot_product(__global const ELEMENT *a, __global const ELEMENT *b, __global double *result, long n)
{
    __local double sums[64];
    long item = get_local_id(0);
    double sum = 0;
    for (long i = get_global_id(0); i < n; i += 128)
        sum += (double)a[i] * b[i];
    sums[item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0) {
        double s = 0;
        for (int i = 0; i < 64; i++)
            s += sums[i];
        if (get_group_id(0) == 0)
            *result = s;
        else
            *result += s;
    }
}
