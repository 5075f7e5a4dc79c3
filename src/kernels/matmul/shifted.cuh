// Loads of elements of 16 bits from any address. half.cuh comes before.

// The 16 bytes at an aligned address; zeros from `end` on.
static __device__ __forceinline__ uint4 load_until(const uint4 *at, const element *end)
{
    if ((const element *)(at + 1) <= end)
        return *at;
    uint words[4] = {};
#pragma unroll
    for (int i = 0; i < 8; i++)
        if ((const element *)at + i < end)
            words[i / 2] |= (uint)((const element *)at)[i] << i % 2 * 16;
    return make_uint4(words[0], words[1], words[2], words[3]);
}

// 16 of 32 bytes, from `shift` on: a multiple of 2, up to 14.
static __device__ __forceinline__ uint4 shifted(uint4 low, uint4 high, int shift)
{
    uint w[8];
    w[0] = low.x, w[1] = low.y, w[2] = low.z, w[3] = low.w;
    w[4] = high.x, w[5] = high.y, w[6] = high.z, w[7] = high.w;
#pragma unroll
    for (int i = 0; i < 6; i++)
        w[i] = shift & 8 ? w[i + 2] : w[i];
#pragma unroll
    for (int i = 0; i < 5; i++)
        w[i] = shift & 4 ? w[i + 1] : w[i];
#pragma unroll
    for (int i = 0; i < 4; i++)
        w[i] = shift & 2 ? __funnelshift_r(w[i], w[i + 1], 16) : w[i];
    return make_uint4(w[0], w[1], w[2], w[3]);
}

// 16 bytes from any address that is a multiple of 2: two aligned loads, and the second is a neighbour's first.
static __device__ __forceinline__ uint4 load_shifted(const element *from, const element *end)
{
    const uint4 *whole = (const uint4 *)((ulong)from & ~15ul);
    const int shift = (ulong)from % 16;
    const uint4 low = load_until(whole, end), high = shift > 0 ? load_until(whole + 1, end) : make_uint4(0, 0, 0, 0);
    return shifted(low, high, shift);
}
