// Groups that share the depth of one tile store their sums in scratch memory. The group that finds all flags set adds
// the sums, in a fixed order. No group waits. The flags are never cleared: those of an earlier launch have another
// epoch.

// True, for all items of the group, if all of `members` groups have arrived, each with its own `own` and this launch's
// epoch. Their earlier writes are then visible; they must be read with __ldcg.
//
// Two groups that arrive last together both see all flags. With `once` only one of them gets true; without, both may
// write the same results.
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
