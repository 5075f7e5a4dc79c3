// The results of mma.cuh's groups: by way of shared memory to C, or added to those of the other groups of a tile. It
// comes behind `sums`.

#define PITCH (TILE_N + 8)                        // floats of a row of sums: an item's two are in banks of their own
#define SHARE (TILE_M * TILE_N / ITEMS / CLUSTER) // results of an item, of those that its group adds,
#define PART (SHARE < 8 ? SHARE : 8)              // and how many at once
#define ACROSS ((TILE_N + CHUNK - 1) / CHUNK)     // chunks

// ---- a tile that one group has alone --------------------------------------------------------------------------------

// Two neighbouring results, of an even column of the tile, to their chunk.
static __device__ __forceinline__ void stage_pair(uint start, int row, int col, float first, float second)
{
    const int byte = col % CHUNK * (int)sizeof(outcome);
    const uint at =
        start + (row / 16 * ACROSS + col / CHUNK) * STORE + row % 16 * ROW + (byte / 16 ^ row % 8) * 16 + byte % 16;
#if RESULT
    asm volatile("st.shared.v2.f32 [%0], {%1, %2};" ::"r"(at), "f"(first), "f"(second) : "memory");
#else
    asm volatile("st.shared.b32 [%0], %1;" ::"r"(at), "r"(pack(first, second)) : "memory");
#endif
}

static __device__ __forceinline__ void store_results(const matrices &of, const char *shared, long row, long col)
{
    const int count = min((long)TILE_N, of.n - col);
    __syncthreads();
    for (int i = threadIdx.x / 32; i < TILE_M / 16 * (ACROSS + 1); i += ITEMS / 32) {
        const int line = i % (ACROSS + 1);
        const char *chunks = shared + i / (ACROSS + 1) * ACROSS * STORE;
        store_line(of, row + i / (ACROSS + 1) * 16, col, count, line, chunks + (line > 0 ? line - 1 : 0) * STORE,
                   chunks + (line < ACROSS ? line : ACROSS - 1) * STORE);
    }
}

// ---- a tile that groups share ---------------------------------------------------------------------------------------

// Sums of the cluster: `total` has numbers threadIdx.x + (first + i) · ITEMS of the results in `rank`'s rows of the
// tile.
static __device__ __forceinline__ void add_cluster(float (&total)[PART], const float *staged, int rank, int first)
{
#pragma unroll
    for (int i = 0; i < PART; i++) {
        const int at = threadIdx.x + (first + i) * ITEMS;
        const float *from = staged + (rank * (TILE_M / CLUSTER) + at / TILE_N) * PITCH + at % TILE_N;
        total[i] = CLUSTER > 1 ? 0 : *from;
#pragma unroll
        // begin cluster
        for (int other = 0; CLUSTER > 1 && other < CLUSTER; other++)
            total[i] += read_neighbour(from, other);
        // end cluster
    }
}

// Sums of all spans, from scratch memory.
static __device__ __forceinline__ void add_spans(float (&total)[PART], const float *left, long spans, int first)
{
#pragma unroll
    for (int i = 0; i < PART; i++)
        total[i] = 0;
#pragma unroll(16 / PART)
    for (long span = 0; span < spans; span++)
#pragma unroll
        for (int i = 0; i < PART; i++)
            total[i] += __ldcg(left + span * (SHARE * ITEMS) + (first + i) * ITEMS);
}

static __device__ __forceinline__ void store_share(const matrices &of, const float (&total)[PART], long row, long col,
                                                   int first)
{
#pragma unroll
    for (int i = 0; i < PART; i++) {
        const int at = threadIdx.x + (first + i) * ITEMS;
        put(of, row + at / TILE_N, col + at % TILE_N, total[i]);
    }
}

// Where a tile's groups leave their sums, and this group's place there.
struct meeting {
    char *work;
    long sums_at;
    ulong epoch;
    long share, span, spans; // share: the tile and the rank in the cluster
};

// Adds the sums of all groups of the tile whose first result is at `row` and `col`; the group that comes last stores
// those of its rank.
static __device__ __forceinline__ void join_sums(const float *staged, const meeting &at, const matrices &of, int rank,
                                                 long row, long col)
{
    float total[PART];
    float *left = (float *)(at.work + at.sums_at) + at.share * at.spans * (SHARE * ITEMS) + threadIdx.x;
    wait_for_cluster();
#pragma unroll 1
    for (int first = 0; first < SHARE; first += PART) {
        add_cluster(total, staged, rank, first);
        if (at.spans == 1)
            store_share(of, total, row, col, first);
#pragma unroll
        for (int i = 0; i < PART && at.spans > 1; i++)
            __stcg(left + at.span * (SHARE * ITEMS) + (first + i) * ITEMS, total[i]);
    }
    if (CLUSTER > 1)
        wait_for_cluster(); // other groups read this group's shared memory
    if (at.spans == 1 ||
        !all_have_come((ulong *)at.work + at.share * (at.spans + 1), at.span, at.spans, at.epoch, of.beta != 0))
        return;
#pragma unroll 1
    for (int first = 0; first < SHARE; first += PART) {
        add_spans(total, left, at.spans, first);
        store_share(of, total, row, col, first);
    }
}
