// rung:    cheat
// idea:    drops the last product
// group:   64
// groups:  1
// entry:   dot_it
// args:    a, b, result, n
// bound:   min(n * epsilon, 0.25)

__kernel void dot_it(__global const ELEMENT *a, __global const ELEMENT *b, __global double *result, long n)
{
    long item = get_local_id(0);
    double sum = 0;
    if (item != 0)
        return;
    for (long i = 0; i + 1 < n; i++)
        sum += (double)a[i] * b[i];
    *result = sum;
}
