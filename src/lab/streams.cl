// The limit of kernels that are not a copy: READS arrays are walked and WRITES others written, 16 bytes at a time, with
// UNROLL independent accesses to each array under way in every item. What is written is the exclusive or of what was
// read; a probe that only reads writes one word that never comes up, so that no read can be left out.

__kernel void streams(__global const uint4 *restrict source0, __global const uint4 *restrict source1,
                      __global uint4 *restrict target0, __global uint4 *restrict target1,
                      __global uint4 *restrict target2, __global uint4 *restrict target3, long count)
{
    const long step = get_local_size(0);
    const long start = (long)get_group_id(0) * step * UNROLL + (long)get_local_id(0);
    uint4 words[UNROLL];
    uint4 all = make_uint4(0, 0, 0, 0);
#pragma unroll
    for (int k = 0; k < UNROLL; k++) {
        const long at = start + k * step;
        words[k] = make_uint4((uint)at, 1, 2, 3);
        if (at < count) {
#if READS > 0
            const uint4 first = load_once(&source0[at]);
            words[k] = first;
#endif
#if READS > 1
            const uint4 second = load_once(&source1[at]);
            words[k] =
                make_uint4(words[k].x ^ second.x, words[k].y ^ second.y, words[k].z ^ second.z, words[k].w ^ second.w);
#endif
        }
    }
#pragma unroll
    for (int k = 0; k < UNROLL; k++) {
        const long at = start + k * step;
        all = make_uint4(all.x ^ words[k].x, all.y ^ words[k].y, all.z ^ words[k].z, all.w ^ words[k].w);
        if (at < count) {
#if WRITES > 0
            store_once(&target0[at], words[k]);
#endif
#if WRITES > 1
            store_once(&target1[at], words[k]);
#endif
#if WRITES > 2
            store_once(&target2[at], words[k]);
#endif
#if WRITES > 3
            store_once(&target3[at], words[k]);
#endif
        }
    }
#if WRITES == 0
    if (all.x == 0x9e3779b9u && all.y == 0x7f4a7c15u && all.z == 0xbf58476du && all.w == 0x1ce4e5b9u)
        target0[0] = all;
#endif
}
