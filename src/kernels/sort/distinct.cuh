// Of onesweep.cu: one of each of the equal keys of the sorted array, at its front.
#pragma once

// How many are first of their run in all earlier tiles: a warp reads the words of 32 at once.
static __device__ uint look_back_by_warp(const uint *words, uint tile)
{
    const int lane = threadIdx.x % 32;
    uint before = 0, ends = 0;
    for (int other = (int)tile - 1 - lane; ends == 0; other -= 32) {
        uint seen;
        do
            seen = other < 0 ? UP_TO : load_word(&words[other]);
        while (__any_sync(ALL, seen == 0));
        ends = __ballot_sync(ALL, seen >= UP_TO);
        before += (ends & ((1u << lane) - 1)) == 0 ? seen & COUNT : 0; // up to the nearest prefix
    }
    for (int distance = 16; distance > 0; distance /= 2)
        before += __shfl_xor_sync(ALL, before, distance);
    return before;
}

// Into the second-level cache comes a tile that is read soon, one for each multiprocessor on: a tile waits for all
// tiles before it, so for the slowest of their loads.
static __device__ void fetch_ahead(const KEY *array, uint tile, uint tiles)
{
#if __CUDA_ARCH__ >= 900
    uint units;
    asm("mov.u32 %0, %%nsmid;" : "=r"(units));
    tile += units;
    if (tile + 1 < tiles)
        asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(array + (size_t)tile * TILE),
                     "r"((uint)(TILE * sizeof(KEY)))
                     : "memory");
#endif
}

// In the sorted array itself: a tile learns its place when all tiles before it have counted, and so read, theirs.
extern "C" __global__ void __launch_bounds__(THREADS, GROUPS)
    distinct(KEY *array, Control *scratch, KEY negative, KEY always, KEY below, KEY most, long n, long control_at, long,
             ulong *count)
{
    __shared__ uint shared_tile, shared_before, warp_sums[WARPS];
    wait_for_launch_before();
    Control *control = (Control *)((char *)scratch + control_at);
    const Order order = {negative, always, below, most};
    const uint tiles = (uint)((n + TILE - 1) / TILE), lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    uint *words = tile_words(control, PASSES, tiles);
    if (threadIdx.x == 0)
        fetch_ahead(array, shared_tile = atomicAdd(&control->next_tile[PASSES], 1), tiles);
    __syncthreads();
    const uint tile = shared_tile, first = tile * TILE + warp * 32 * ITEMS + lane;
    KEY keys[ITEMS], last = lane == 0 && first > 0 && first < n ? array[first - 1] : 0;
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        keys[i] = first + 32 * i < n ? array[first + 32 * i] : 0;
    uint is_kept = 0, sum = 0;
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        const KEY neighbour = __shfl_up_sync(ALL, keys[i], 1), before = lane > 0 ? neighbour : last;
        const bool is_nan = most != (KEY)-1 && order.key(before) >= most; // these are last, and alike
        last = __shfl_sync(ALL, keys[i], 31);
        const uint at = first + 32 * i;
        const bool is_first = at < n && (at == 0 || (before != keys[i] && !is_nan));
        is_kept |= (uint)is_first << i;
        sum += __popc(__ballot_sync(ALL, is_first));
    }
    if (lane == 0)
        warp_sums[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        uint own = 0;
        for (int w = 0; w < WARPS; w++)
            own += warp_sums[w];
        if (lane == 0 && tile > 0)
            store_word(&words[tile], OWN | own);
        const uint before = look_back_by_warp(words, tile);
        if (lane == 0) {
            store_word(&words[tile], UP_TO | (before + own));
            shared_before = before;
            if (tile == tiles - 1)
                *count = before + own;
        }
    }
    __syncthreads();
    uint to = shared_before;
    for (uint w = 0; w < warp; w++)
        to += warp_sums[w];
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        const bool is_first = is_kept >> i & 1;
        const uint firsts = __ballot_sync(ALL, is_first);
        if (is_first)
            array[to + __popc(firsts & ((1u << lane) - 1))] = keys[i];
        to += __popc(firsts);
    }
}
