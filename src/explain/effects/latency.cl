// rung:    global
// idea:    one item in a group of 32 follows a chain of indices through KIB KiB of global memory
// tune:    KIB = 16 in 16 64 256 1024 4096 16384 65536 262144
// group:   32
// groups:  512
// args:    in, chain, out, n, int(0)

__kernel void latency(__global const ELEMENT *restrict in, __global const ELEMENT *restrict chain,
                      __global ELEMENT *restrict out, long n, int nothing)
{
    // The index of the next word is the content of the word before: no load begins before that one has ended.
    ELEMENT mask = (ELEMENT)min(n, (long)KIB * 256) - 1;
    ELEMENT at = (ELEMENT)get_group_id(0) * 2654435761u & mask;
    if (get_local_id(0) != 0)
        return;
    for (int step = 0; step < 8192; step++)
        at = chain[at] & mask;
    out[get_group_id(0)] = in[get_group_id(0)] + 1 + (at & (ELEMENT)nothing);
}
