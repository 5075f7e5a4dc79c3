// rung:    mine
// idea:    what is new about it, in a line
// tune:    ITEMS = 256 in 64 128 256
// group:   ITEMS
// groups:  1
// args:    a, b, result, n
// entry:   dot_product
// bound:   min(n * epsilon, 0.25)
// needs:   double

// The sum of a[i] * b[i], as a double whatever ELEMENT is.
__kernel void dot_product(__global const ELEMENT *a, __global const ELEMENT *b, __global double *result, long n)
{
    __local double sums[ITEMS];
    long item = get_local_id(0);
    double sum = 0;
    for (long i = item; i < n; i += ITEMS)
        sum += (double)a[i] * b[i];
    sums[item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (long distance = ITEMS / 2; distance > 0; distance /= 2) {
        if (item < distance)
            sums[item] += sums[item + distance];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item == 0)
        *result = sums[0];
}
