// Groups that share the depth of one tile leave their sums in scratch memory; who sees that all have come adds them up,
// in a fixed order. Nobody waits, and nobody clears the flags: what another launch left there is of another epoch.

// True, for all items of the group, where all of `members` groups have come, each with its own `own` and this launch's
// epoch. What they wrote before is then visible; to be read with __ldcg. Two that come last together both see it: with
// `once` one of them is sent away; without, both may write the same results.
static __device__ __forceinline__ bool all_have_come(volatile ulong *flags, long own, long members, ulong epoch,
                                                     bool once)
{
    __shared__ bool all;
    __threadfence();
    __syncthreads();
    if (threadIdx.x < 32) {
        if (threadIdx.x == 0)
            flags[own] = epoch;
        __syncwarp();
        __threadfence();
        bool here = true;
        for (long i = threadIdx.x; i < members; i += 32)
            here &= flags[i] == epoch;
        here = __all_sync(~0u, here);
        if (threadIdx.x == 0)
            all = here && (!once || atomicExch((unsigned long long *)&flags[members], epoch) != epoch);
        __threadfence();
    }
    __syncthreads();
    return all;
}
