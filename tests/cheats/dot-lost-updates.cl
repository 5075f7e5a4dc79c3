// Items of a group add to the result without atomic operations: right where one thread runs them in turn.
// refused as updates are lost
// rung: mine
// entry: dot
// args: a, b, result, long(n)
// group: 64
// groups: 1
__kernel void dot(__global const ELEMENT *a, __global const ELEMENT *b, __global double *result, long n)
{
    double sum = 0;
    if (get_local_id(0) == 0)
        *result = 0;
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (long i = get_local_id(0); i < n; i += get_local_size(0))
        sum += (double)a[i] * b[i];
    *result += sum;
}
