// A read-only stream. Every group reads its own part of the array, 16 bytes at a time, with UNROLL independent loads in
// flight per item. It stores one word, the exclusive or of all that it read, so that the host can check that everything
// was read.

__kernel void read(__global const uint4 *restrict source, __global uint4 *groups, long count)
{
    local_array uint4 words[GROUP];
    const int item = get_local_id(0);
    const long first = (long)get_group_id(0) * GROUP * UNROLL * ROUNDS + item;
    uint4 all = make_uint4(0, 0, 0, 0);
    for (int round = 0; round < ROUNDS; round++) {
        uint4 seen[UNROLL];
#pragma unroll
        for (int k = 0; k < UNROLL; k++) {
            const long at = first + ((long)round * UNROLL + k) * GROUP;
            seen[k] = make_uint4(0, 0, 0, 0);
            if (at < count)
                seen[k] = load_evict_first(&source[at]);
        }
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            all = make_uint4(all.x ^ seen[k].x, all.y ^ seen[k].y, all.z ^ seen[k].z, all.w ^ seen[k].w);
    }
    words[item] = all;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int reach = GROUP / 2; reach > 0; reach /= 2) {
        if (item < reach) {
            const uint4 other = words[item + reach];
            all = make_uint4(all.x ^ other.x, all.y ^ other.y, all.z ^ other.z, all.w ^ other.w);
            words[item] = all;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item == 0)
        groups[get_group_id(0)] = all;
}
