// Of onesweep.cu: the lowest digits are left out where the leading ones tell most keys apart. 2^24 random keys of 64
// bits are sorted by their first 32: one in 256 then has a neighbour that is alike so far. A launch more sorts such
// runs, each by one thread. Whether runs are short is estimated from the digits' counts, as if digits were independent,
// and from a sample. Where a run is long after all, and not in order, all passes are made anew.
#pragma once

constexpr int SLOTS = 4096, SAMPLES = 8; // of a thread
constexpr int MET_AT_MOST = 8;           // of the sample's pairs: more are no accident
constexpr float NEIGHBOURS = 0.1f;       // of a key, on average, that are alike so far
constexpr uint LONG = 64, EACH = 4;      // the longest run that a thread sorts; keys that it looks at

// As few passes as tell keys apart; 0: all. In place keys alone take an even number of them.
static __device__ int lowest_digit(const float (&alike)[PASSES], uint n, bool in_place)
{
    float neighbours = n;
    int lowest = PASSES;
    for (uint passes = 0; lowest > 0 && (neighbours > NEIGHBOURS || (!MOVES_VALUES && in_place && passes % 2 > 0));) {
        lowest--;
        neighbours *= alike[lowest];
        passes += alike[lowest] < 1;
    }
    bool differs = false;
    for (int pass = 0; pass < lowest; pass++)
        differs = differs || alike[pass] < 1;
    return differs ? lowest : 0;
}

static __device__ uint mixed(ulong word)
{
    word = (word ^ word >> 32) * 0xd6e8feb86659fd93;
    return (uint)((word ^ word >> 32) * 0xd6e8feb86659fd93 >> 32);
}

// Whether few keys of a sample are alike from the lowest digit on, but not below. All threads come by.
static __device__ bool are_told_apart(const KEY *elements, Order order, uint n, int lowest, ulong *table)
{
    const KEY below = ((KEY)1 << 8 * lowest) - 1;
    for (int i = threadIdx.x; i < SLOTS; i += THREADS)
        table[i] = 0;
    __syncthreads();
    int met = 0;
    for (uint i = 0; i < SAMPLES; i++) {
        const uint at = (uint)((ulong)mixed(threadIdx.x * SAMPLES + i + 1) * n >> 32);
        const KEY key = min(order.key(elements[at]), order.most);
        const uint leading = mixed(key & ~below);
        const ulong entry = (ulong)leading << 32 | mixed(key & below) | 1;
        const ulong other = atomicExch((unsigned long long *)&table[leading % SLOTS], entry);
        met += other != 0 && other >> 32 == leading && other != entry;
    }
    for (int distance = 16; distance > 0; distance /= 2)
        met += __shfl_xor_sync(ALL, met, distance);
    return __syncthreads_or(met > MET_AT_MOST) == 0;
}

// Sorted by the leading digits: elements or, of an order, keys, with what moves with them.
struct Sorted {
    KEY *elements;
    RESULT *values;
    Order order;
    uint n;
    int shift;
    __device__ KEY key(uint at) const
    {
        return min(IS_ORDER ? elements[at] : order.key(elements[at]), order.most);
    }
    __device__ bool is_of_run(uint at, KEY key_of_run) const
    {
        return at < n && key(at) >> shift == key_of_run >> shift;
    }
    __device__ void move(uint from, uint to) const
    {
        elements[to] = elements[from];
#if MOVES_VALUES
        values[to] = values[from];
#endif
    }
    __device__ void sort_run(uint first) const;
    __device__ bool is_in_long_run(uint at, KEY key_there) const;
};

// By insertion, which keeps equal ones in order. No other thread writes to the run.
__device__ void Sorted::sort_run(uint first) const
{
    KEY greatest = key(first);
    for (uint at = first + 1; is_of_run(at, greatest); at++) {
        const KEY own = key(at);
        if (own >= greatest) {
            greatest = own;
            continue;
        }
        const KEY element = elements[at];
#if MOVES_VALUES
        const RESULT value = values[at];
#endif
        uint to = at;
        for (; to > first && key(to - 1) > own; to--)
            move(to - 1, to);
        elements[to] = element;
#if MOVES_VALUES
        values[to] = value;
#endif
    }
}

__device__ bool Sorted::is_in_long_run(uint at, KEY key_there) const
{
    uint first = at;
    while (first > 0 && at - first < LONG && is_of_run(first - 1, key_there))
        first--;
    return at - first == LONG || is_of_run(first + LONG, key_there);
}

// Makes all passes' words and the choice of passes anew.
static __device__ void begin_again(Control *control, uint n)
{
    __shared__ float alike[PASSES];
    const uint tiles = (n + TILE - 1) / TILE;
    uint4 *words = (uint4 *)tile_words(control, 0, tiles);
    for (size_t i = threadIdx.x; i < (size_t)PASSES * tiles * DIGITS / 4; i += THREADS)
        words[i] = make_uint4(0, 0, 0, 0);
    if (threadIdx.x < PASSES) {
        const uint *starts = control->starts[threadIdx.x];
        bool is_alike = false;
        for (int d = 0; d < DIGITS; d++)
            is_alike = is_alike || (starts[d] == 0 && (d == DIGITS - 1 ? n : starts[d + 1]) == n);
        alike[threadIdx.x] = is_alike;
        control->next_tile[threadIdx.x] = 0;
    }
    __syncthreads();
    if (threadIdx.x == 0)
        choose_passes(control, alike, !IS_ORDER, 0);
}

// A key's leading digits, by which runs are told, stay what they are while a run is sorted. A key that is moved at that
// time may seem to be out of order; only in a long run, which nobody sorts, does that matter.
extern "C" __global__ void __launch_bounds__(THREADS)
    sort_runs(KEY *array, Control *scratch, KEY negative, KEY always, KEY below, KEY most, long n, long control_at,
              long second_at, RESULT *values)
{
    __shared__ bool is_last;
    wait_for_launch_before();
    Control *control = (Control *)((char *)scratch + control_at);
    const int lowest = control->lowest;
    if (lowest == 0)
        return;
    const Sorted sorted = {IS_ORDER ? (KEY *)((char *)scratch + second_at) : array,
                           values,
                           {negative, always, below, most},
                           (uint)n,
                           8 * lowest};
    const uint begin = blockIdx.x * THREADS * EACH + threadIdx.x;
    KEY keys[EACH];
#pragma unroll
    for (uint i = 0; i < EACH; i++)
        keys[i] = begin + i * THREADS < sorted.n ? sorted.key(begin + i * THREADS) : 0;
#pragma unroll
    for (uint i = 0; i < EACH; i++) {
        const uint at = begin + i * THREADS;
        if (!sorted.is_of_run(at + 1, keys[i]))
            continue;
        if (keys[i] > sorted.key(at + 1) && sorted.is_in_long_run(at, keys[i]))
            control->failed = 1;
        if ((at == 0 || !sorted.is_of_run(at - 1, keys[i])) && !sorted.is_of_run(at + LONG, keys[i]))
            sorted.sort_run(at);
    }
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        is_last = atomicAdd(&control->blocks_finished, 1) == gridDim.x - 1;
    __syncthreads();
    if (is_last && __ldcg(&control->failed))
        begin_again(control, sorted.n);
}
