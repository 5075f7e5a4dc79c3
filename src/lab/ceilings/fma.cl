// The ceiling of arithmetic: multiply-adds from registers and nothing else. An item has CHAINS independent chains and
// does UNROLL steps of each per iteration. A result that never occurs would be stored: without that the compiler could
// drop the arithmetic. NUMBER is SCALAR, or on a CPU a vector of them.

#if LANES > 1
#define FIRST(number) (number).x
#else
#define FIRST(number) (number)
#endif

__kernel void fma_peak(__global SCALAR *sink, long iterations, SCALAR factor, SCALAR addend)
{
    const NUMBER factors = factor, addends = addend;
    NUMBER chains[CHAINS];
#pragma unroll
    for (int c = 0; c < CHAINS; c++)
        chains[c] = factors * (SCALAR)((int)get_local_id(0) + c);
    for (long i = 0; i < iterations; i++) {
#pragma unroll
        for (int u = 0; u < UNROLL; u++)
#pragma unroll
            for (int c = 0; c < CHAINS; c++)
                chains[c] = mad(chains[c], factors, addends);
    }
    NUMBER sum = chains[0];
#pragma unroll
    for (int c = 1; c < CHAINS; c++)
        sum += chains[c];
    if (FIRST(sum) == -1)
        sink[0] = FIRST(sum);
}
