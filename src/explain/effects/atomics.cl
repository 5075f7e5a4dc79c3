// rung:    counters
// idea:    CONTENTION neighbouring items of a group of 1024 add to the same counter in local memory
// tune:    CONTENTION = 1 in 1 2 4 8 16 32 64 128 256 512 1024
// group:   1024
// groups:  n / 1024
// args:    in, out, int(log2(CONTENTION))

__kernel void atomics(__global const ELEMENT *restrict in, __global ELEMENT *restrict out, int shift)
{
    local_array ELEMENT counters[1024];
    uint item = (uint)get_local_id(0);
    counters[item] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); // all counters are zero before any is added to

    ELEMENT value = in[get_global_id(0)];
    for (uint k = 0; k < 64; k++)
        atomic_add(&counters[item >> shift], value ^ k);
    for (uint rest = 512; rest > 0; rest /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE); // what is added up next is complete
        if (item < rest)
            counters[item] += counters[item + rest];
    }
    if (item == 0)
        out[get_group_id(0)] = counters[0];
}
