// The bandwidth of a GPU's L2 cache. `words` 16-byte words (a power of two) are read repeatedly, with UNROLL loads in
// flight per item. In each pass a group reads another chunk, an odd number of chunks further on. So a chunk returns to
// a multiprocessor only after its L1 has seen many others. A word that never occurs would be stored: without that the
// compiler could drop the loads.

__kernel void cache_read(__global const uint4 *restrict source, __global uint4 *restrict sink, long words, int passes)
{
    const uint step = (uint)get_local_size(0), mask = (uint)words - 1;
    uint at = (uint)get_group_id(0) * step * UNROLL + (uint)get_local_id(0);
    uint4 all = make_uint4(0, 0, 0, 0), other = all;
    for (int pass = 0; pass < passes; pass++) {
        uint4 read[UNROLL];
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            read[k] = source[(at + k * step) & mask];
#pragma unroll
        for (int k = 0; k < UNROLL; k += 2) {
            all = make_uint4(all.x ^ read[k].x, all.y ^ read[k].y, all.z ^ read[k].z, all.w ^ read[k].w);
            other = make_uint4(other.x ^ read[k + 1].x, other.y ^ read[k + 1].y, other.z ^ read[k + 1].z,
                               other.w ^ read[k + 1].w);
        }
        at += step * UNROLL * STRIDE;
    }
    all = make_uint4(all.x ^ other.x, all.y ^ other.y, all.z ^ other.z, all.w ^ other.w);
    if (all.x == 0x9e3779b9u && all.y == 0x7f4a7c15u && all.z == 0xbf58476du && all.w == 0x1ce4e5b9u)
        sink[0] = all;
}
