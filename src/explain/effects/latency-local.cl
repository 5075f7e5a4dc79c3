// rung:    local
// idea:    the same through KIB KiB of local memory
// tune:    KIB = 4 in 1 2 4 8 16 32
// group:   32
// groups:  512
// args:    in, chain, out, int(0)

__kernel void latency(__global const ELEMENT *restrict in, __global const ELEMENT *restrict chain,
                      __global ELEMENT *restrict out, int nothing)
{
    local_array ELEMENT words[KIB * 256];
    ELEMENT at = (ELEMENT)get_group_id(0) & (KIB * 256 - 1);
    for (int i = (int)get_local_id(0); i < KIB * 256; i += 32)
        words[i] = chain[i] & (KIB * 256 - 1);
    barrier(CLK_LOCAL_MEM_FENCE); // the chain is stored before anyone follows it
    if (get_local_id(0) != 0)
        return;
    for (int step = 0; step < 8192; step++)
        at = words[at];
    out[get_group_id(0)] = in[get_group_id(0)] + 1 + (at & (ELEMENT)nothing);
}
