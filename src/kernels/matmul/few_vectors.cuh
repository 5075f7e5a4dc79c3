// matrix_vector.cu for 2 to 8 rows or columns of results: each element of the matrix is used for VECTORS vectors.
//
// The group's part of the vectors is copied to shared memory, at most CHUNK deep at a time, into one of two buffers.
// While some warps still read one buffer, others fill the next. All warps share a chunk, however short it is.

#define CHUNK (VECTORS > 4 ? 512 : 1024)
#define CHUNK_PITCH (CHUNK + 4)      // vectors begin in different banks
#define ALONG_AHEAD (CHUNK / 32 / 8) // steps of 32 with loads under way
#define ACROSS_AHEAD (LOADS / WIDE)
#define RESULTS (MOST * VECTORS) // of a group

// COUNT lines of one warp: the elements that are loaded together, `ahead` depths, `step` apart.
template <int COUNT, int AHEAD> struct loaded {
    element x[AHEAD][COUNT];

    __device__ __forceinline__ void load(const element *const (&at)[COUNT], long matrix_step, long step, long k,
                                         long end)
    {
#pragma unroll
        for (int i = 0; i < AHEAD; i++)
#pragma unroll
            for (int line = 0; line < COUNT; line++)
                x[i][line] = k + step * i < end ? load_once(at[line] + (k + step * i) * matrix_step) : 0;
    }
};

// Adds the loaded elements times the vectors from `at` on, lane by lane or for the whole warp.
template <bool ALONG, int COUNT, int AHEAD>
static __device__ __forceinline__ void add_loaded(float (&sums)[VECTORS][COUNT], const loaded<COUNT, AHEAD> &of,
                                                  const float *at)
{
#pragma unroll
    for (int v = 0; v < VECTORS; v++) {
        float y[AHEAD];
#pragma unroll
        for (int i = 0; i < AHEAD; i += ALONG ? 1 : 4)
            if (ALONG)
                y[i] = at[v * CHUNK_PITCH + 32 * i];
            else
                *(float4 *)(y + i) = *(const float4 *)(at + v * CHUNK_PITCH + i);
                // begin few
#pragma unroll
        for (int i = 0; i < AHEAD; i++)
#pragma unroll
            for (int line = 0; line < COUNT; line++)
                sums[v][line] = fmaf(widen(of.x[i][line]), y[i], sums[v][line]);
        // end few
    }
}

// Copies `depth` of the vectors' elements from depth k on, and zeros behind them, `width` in all.
static __device__ __forceinline__ void fetch_vectors(float *to, const vectors &of, long k, int depth, int width)
{
    const element *from = of.vector + k * of.vector_step;
    if (of.vector_step == 1) {
        for (int at = threadIdx.x; at < width; at += 32 * WARPS)
#pragma unroll
            for (int v = 0; v < VECTORS; v++)
                to[v * CHUNK_PITCH + at] = at < depth ? widen(__ldg(from + v * of.vector_across + at)) : 0.0f;
    } else {
        for (int i = threadIdx.x; i < VECTORS * width; i += 32 * WARPS) {
            const int v = i % VECTORS, at = i / VECTORS;
            const element *number = from + v * of.vector_across + at * of.vector_step;
            to[v * CHUNK_PITCH + at] = at < depth ? widen(__ldg(number)) : 0.0f;
        }
    }
}

// Sums of COUNT lines, at `at`, over the group's depths. The warp takes one of `pieces` parts of each chunk.
template <bool ALONG, int COUNT>
static __device__ __forceinline__ void add_chunks(float (&sums)[VECTORS][COUNT], const element *const (&at)[COUNT],
                                                  float *shared, const vectors &of, int pieces, long begin, long end)
{
    const int AHEAD = ALONG ? ALONG_AHEAD : ACROSS_AHEAD, STEP = ALONG ? 32 : 1;
    const long matrix_step = ALONG ? 1 : of.stride;
    loaded<COUNT, AHEAD> numbers;
    int side = 0;
    for (long k = begin; k < end; k += CHUNK, side ^= 1) {
        float *const here = shared + side * VECTORS * CHUNK_PITCH;
        const int depth = (int)min((long)CHUNK, end - k), rounds = (depth + STEP * AHEAD - 1) / (STEP * AHEAD);
        const int size = (rounds + pieces - 1) / pieces * (STEP * AHEAD), first = threadIdx.x / 32 % pieces * size;
        int i = first + (ALONG ? threadIdx.x % 32 : 0);
        numbers.load(at, matrix_step, STEP, k + i, end);
        fetch_vectors(here, of, k, depth, size * pieces);
        __syncthreads();
        while (true) {
            add_loaded<ALONG>(sums, numbers, here + i);
            i += STEP * AHEAD;
            if (i >= first + size || k + i - (ALONG ? threadIdx.x % 32 : 0) >= end)
                break;
            numbers.load(at, matrix_step, STEP, k + i, end);
        }
    }
    __syncthreads(); // all warps have finished reading the vectors
}

// Stores the group's sums as shared[piece][vector][line].
static __device__ __forceinline__ void add_slice(float *shared, const vectors &of, bool along, int pieces, int lines,
                                                 long set, long begin, long end)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (along) {
        float sums[VECTORS][LINES] = {};
        const element *at[LINES];
#pragma unroll
        for (int i = 0; i < LINES; i++)
            at[i] = of.matrix + min(set * lines + warp / pieces * LINES + i, of.lines - 1) * of.stride;
        add_chunks<true>(sums, at, shared, of, pieces, begin, end);
#pragma unroll
        for (int i = 0; i < LINES * VECTORS; i++) {
            float &sum = sums[i / LINES][i % LINES];
#pragma unroll
            for (int step = 16; step > 0; step /= 2)
                sum += __shfl_xor_sync(~0u, sum, step);
            if (lane == i % 32)
                shared[warp % pieces * RESULTS + i / LINES * lines + warp / pieces * LINES + i % LINES] = sum;
        }
    } else {
        float sums[VECTORS][WIDE] = {};
        const element *at[WIDE];
#pragma unroll
        for (int i = 0; i < WIDE; i++)
            at[i] = of.matrix + min(set * lines + lane + 32 * i, of.lines - 1);
        add_chunks<false>(sums, at, shared, of, pieces, begin, end);
#pragma unroll
        for (int i = 0; i < WIDE * VECTORS; i++)
            shared[warp * RESULTS + i / WIDE * lines + lane + 32 * (i % WIDE)] = sums[i / WIDE][i % WIDE];
    }
    __syncthreads();
}

// Adds the pieces, and then the cluster's groups' sums, into the first group's `totals`.
static __device__ __forceinline__ void add_totals(float *totals, const float *shared, int pieces, int results)
{
    for (int r = threadIdx.x; r < results; r += 32 * WARPS) {
        float sum = 0;
        for (int i = 0; i < pieces; i++)
            sum += shared[i * RESULTS + r];
        totals[r] = sum;
    }
    if (CLUSTER == 1)
        return;
    wait_for_cluster();
    for (int r = threadIdx.x; r < results && blockIdx.x % CLUSTER == 0; r += 32 * WARPS)
        for (int i = 1; i < CLUSTER; i++)
            totals[r] += read_neighbour(totals + r, i);
    wait_for_cluster(); // other groups read this group's shared memory
}

// The work of a group. `work` is as in matrix_vector.cu, with RESULTS sums for each set and each span.
static __device__ __forceinline__ void multiply_few(const vectors &of, char *work, long sums_at, long epoch, long k,
                                                    float alpha, float beta, bool along, int pieces, long spans,
                                                    long slice)
{
    __shared__ __align__(
        16) float shared[WARPS * RESULTS > 2 * VECTORS * CHUNK_PITCH ? WARPS * RESULTS : 2 * VECTORS * CHUNK_PITCH];
    __shared__ float totals[RESULTS];
    const int lines = along ? LINES * WARPS / pieces : 32 * WIDE, results = lines * VECTORS;
    const long sets = (of.lines + lines - 1) / lines, set = blockIdx.x / CLUSTER % sets;
    const long span = blockIdx.x / CLUSTER / sets;
    const long begin = min(k, (span * CLUSTER + blockIdx.x % CLUSTER) * slice);
    add_slice(shared, of, along, pieces, lines, set, begin, min(k, begin + slice));
    add_totals(totals, shared, pieces, results);
    if (blockIdx.x % CLUSTER > 0)
        return;
    float *left = (float *)(work + sums_at) + set * spans * RESULTS;
    if (spans > 1) {
        for (int r = threadIdx.x; r < results; r += 32 * WARPS)
            __stcg(left + span * RESULTS + r, totals[r]);
        if (!all_have_come((ulong *)work + set * (spans + 1), span, spans, epoch, beta != 0))
            return;
    }
    for (int r = threadIdx.x; r < results; r += 32 * WARPS) {
        const long line = set * lines + r % lines;
        float sum = spans > 1 ? 0 : totals[r];
#pragma unroll 8
        for (long other = 0; spans > 1 && other < spans; other++)
            sum += __ldcg(left + other * RESULTS + r);
        if (line >= of.lines)
            continue;
        store(of.result + line * of.result_step + r / lines * of.result_across, sum, alpha, beta);
    }
}
