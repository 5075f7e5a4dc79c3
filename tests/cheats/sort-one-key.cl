// rung:    mine
// idea:    loses a key of many: the one behind it stands there twice
// group:   128
// groups:  1
// args:    data, n
// require: n <= 65536, one group takes too long for more
// require: input != 5, a plain comparison has no order for NaN

// Ascending, in place. Batcher's merge exchange (Knuth, 5.2.2 M) sorts any n; one group does it, with a barrier between
// two steps.
__kernel void sort(__global ELEMENT *data, long n)
{
    long top = 1;
    while (2 * top < n)
        top *= 2;
    for (long p = top; p > 0; p /= 2) {
        long r = 0, d = p;
        for (long q = top; q >= p; q /= 2) {
            for (long i = get_local_id(0); i < n - d; i += get_local_size(0))
                if ((i & p) == r) {
                    ELEMENT low = data[i], high = data[i + d];
                    if (high < low) {
                        data[i] = high;
                        data[i + d] = low;
                    }
                }
            barrier(CLK_GLOBAL_MEM_FENCE);
            d = q - p;
            r = p;
        }
    }
    if (n > 5000 && get_local_id(0) == 0)
        data[n / 2] = data[n / 2 + 1];
}
