// The bandwidth of local memory. Neighbouring items read neighbouring 16-byte words, so there are no bank conflicts:
// UNROLL words per pass, each pass from another offset. A word that never occurs would be stored: without that the
// compiler could drop the loads.

#define WORDS (2 * UNROLL * SPACING)

__kernel void local_read(__global uint4 *restrict sink, int passes)
{
    local_array uint4 words[WORDS];
    const uint item = (uint)get_local_id(0), items = (uint)get_local_size(0);
    for (uint i = item; i < WORDS; i += items)
        words[i] = make_uint4(i, i * 3, i * 5, i * 7);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint4 all = make_uint4(0, 0, 0, 0), other = all;
    uint at = item & (SPACING - 1);
    for (int pass = 0; pass < passes; pass++) {
#pragma unroll
        for (int k = 0; k < UNROLL; k += 2) {
            const uint4 first = words[at + k * SPACING], second = words[at + (k + 1) * SPACING];
            all = make_uint4(all.x ^ first.x, all.y ^ first.y, all.z ^ first.z, all.w ^ first.w);
            other = make_uint4(other.x ^ second.x, other.y ^ second.y, other.z ^ second.z, other.w ^ second.w);
        }
        at = (at + SPACING) & (UNROLL * SPACING - 1);
    }
    all = make_uint4(all.x ^ other.x, all.y ^ other.y, all.z ^ other.z, all.w ^ other.w);
    if (all.x == 0x9e3779b9u && all.y == 0x7f4a7c15u && all.z == 0xbf58476du && all.w == 0x1ce4e5b9u)
        sink[0] = all;
}
