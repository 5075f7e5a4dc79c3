// rung:    onesweep
// takes:   order values unique
// idea:    one read and one write per 8 bits: a tile learns where its keys go from the tiles before it, as they work
// tune:    THREADS = 384 in 256 384 512; ITEMS = 6 + 5 * (n * element_bytes > 1048576) + (11 - 6 * (values > 0)) * (element_bytes < 8) * (n > 524288) + (40 - 32 * (values == 2)) / element_bytes * (n >= 16777216) in 2 4 6 8 9 10 11 12 14 16 18 20 22 24 26 32; MATCH = 1 in 0 1; LEADING = (element_bytes == 8) * (n >= 262144) in 0 1
// group:   THREADS
// groups:  ceil(n / (THREADS * ITEMS))
// entry:   sweep
// local:   max(THREADS * (ITEMS * (element_bytes + 4 * (values > 0) + 4 * (values == 2)) + 32) + 1088, 32768)
// require: compute >= 7, needs compute capability 7.0: earlier warps cannot match digits
// require: n <= 1073741824, has 30 bits for a count: up to 1073741824 elements
// require: THREADS * ITEMS * element_bytes <= 49152 * (1 + (values > 0)), a tile of keys does not fit in shared memory
//
// Least-significant-digit radix sort after A. Adinets and D. Merrill, "Onesweep" (2022), with the decoupled look-back
// of D. Merrill and M. Garland (2016). One kernel counts the digits of all passes; then one kernel per pass moves keys.
// A pass ends at once where all keys have one digit. Between passes the keys of order.h lie in memory; the first makes
// them of the elements' bits, the last turns them back. Values (VALUES 1 and 2: of 32 and 64 bits) move with their
// keys. A thread holds both, and both get their places in shared memory, then in the array. Between passes a value is
// beside its key in memory, so that a digit's are one piece instead of two. For the order alone (VALUES 3 and 4:
// indices of 32 and 64 bits) the elements stay, and the values are their places; the last pass writes indices and no
// keys. NaNs are alike where values move. Where equal elements are wanted once, a launch more moves the first of each
// run to the array's front. With LEADING the lowest digits are left out where the others tell most keys apart
// (leading_digits.cuh).

#if ELEMENT_BYTES == 8
typedef ulong KEY;
#else
typedef uint KEY;
#endif

constexpr int DIGITS = 256, PASSES = ELEMENT_BYTES, WARPS = THREADS / 32, TILE = THREADS * ITEMS;
constexpr int COPIES = 32 / ELEMENT_BYTES; // of the counts, in 32 KiB
constexpr uint ALL = 0xffffffff;

// The state of a tile's digit: empty, the tile's own count, or the inclusive prefix of all tiles up to it. Only the
// last tile's prefix can be 2^30, and no tile reads that.
constexpr uint OWN = 1u << 30, UP_TO = 2u << 30, COUNT = OWN - 1;

#if VALUES == 2
typedef ulong VALUE;
#else
typedef uint VALUE;
#endif
#if VALUES == 4
typedef ulong RESULT;
#else
typedef VALUE RESULT;
#endif
#define MOVES_VALUES (VALUES > 0)
#define IS_ORDER (VALUES >= 3)
#define IS_ONE_WORD (MOVES_VALUES && (ELEMENT_BYTES == 8) == (VALUES == 2))

// A key, and the value that moves with it: one word where they have one size, else three of 4 bytes.
#pragma pack(push, 4)
struct alignas(IS_ONE_WORD ? 2 * sizeof(KEY) : MOVES_VALUES ? 4 : sizeof(KEY)) Pair {
    KEY key;
#if MOVES_VALUES
    VALUE value;
#endif
};
#pragma pack(pop)
// Groups that a multiprocessor has at a time: what an item holds is in registers.
constexpr int GROUPS = (ITEMS * sizeof(Pair) > 128 ? 768 : 1152) / THREADS;

struct Order {
    KEY negative, always, below;
    KEY most; // from this key on they are NaNs', which are alike where values move
    __device__ KEY key(KEY bits) const
    {
        KEY k = (bits ^ always ^ (bits >> (8 * ELEMENT_BYTES - 1) ? negative : 0)) - below;
        return IS_ORDER ? min(k, most) : k;
    }
    __device__ KEY bits(KEY k) const
    {
        KEY flipped = (k + below) ^ always;
        return flipped ^ (flipped >> (8 * ELEMENT_BYTES - 1) ? negative : 0);
    }
    // What is sorted by: NaNs that move with values keep their bits.
    __device__ KEY alike(KEY k) const
    {
        return MOVES_VALUES && !IS_ORDER && k >= most ? (KEY)-1 : k;
    }
};

// Zero before the sort, but for the tiles' words, which histograms() clears.
struct alignas(16) Control {
    uint starts[PASSES][DIGITS]; // counts at first, then where each digit's keys begin
    uint left_out;               // passes
    uint out_behind[PASSES];     // of the passes from this one on so many are left out; all, where it is
    uint next_tile[PASSES + 1];  // the last one of distinct()
    uint blocks_done, blocks_finished;
    uint lowest; // digit that is sorted by
    uint failed; // as keys are many that are alike in all digits from that one on
};

static __device__ uint *tile_words(Control *control, int pass, uint tiles)
{
    return (uint *)(control + 1) + (size_t)pass * tiles * DIGITS;
}

// A digit is a byte: one instruction, where a shift and a mask are two.
static __device__ uint digit_of(KEY key, int pass)
{
#if ELEMENT_BYTES == 8
    const uint word = (uint)(key >> (pass < 4 ? 0 : 32));
#else
    const uint word = key;
#endif
    return __byte_perm(word, 0, 0x4440 + pass % 4);
}

// The sum of `value` over the threads below this one among the first DIGITS; all threads come by.
static __device__ uint exclusive_sum(uint value, uint *warp_sums)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    uint sum = value;
    for (int distance = 1; distance < 32; distance *= 2) {
        uint other = __shfl_up_sync(ALL, sum, distance);
        sum += lane >= distance ? other : 0;
    }
    if (lane == 31 && warp < DIGITS / 32)
        warp_sums[warp] = sum;
    __syncthreads();
    uint before = 0;
    for (int w = 0; w < DIGITS / 32; w++)
        before += w < warp ? warp_sums[w] : 0;
    return before + sum - value;
}

// ---- counting ----------------------------------------------------------------------------------------------------

// Each lane of COPIES counts for itself, as lanes that share a bank of shared memory wait for each other.
static __device__ void count(uint *counts, KEY key)
{
#pragma unroll
    for (int pass = 0; pass < PASSES; pass++)
        atomicAdd(&counts[(pass * DIGITS + digit_of(key, pass)) * COPIES + threadIdx.x % COPIES], 1);
}

// A warp makes starts of a pass's counts, which other blocks have written. Returns how probably two keys have one
// digit: 1 where all n have.
static __device__ float make_starts(uint *counts, uint n)
{
    constexpr int EACH = DIGITS / 32;
    int lane = threadIdx.x % 32;
    uint own[EACH], sum = 0;
    for (int i = 0; i < EACH; i++)
        own[i] = __ldcg(&counts[lane * EACH + i]);
    float alike = 0;
    for (int i = 0; i < EACH; i++) {
        sum += own[i];
        alike += own[i] == n ? 1 : (float)own[i] / n * ((float)own[i] / n) * (1 - 0x1p-20f);
    }
    for (int distance = 16; distance > 0; distance /= 2)
        alike += __shfl_xor_sync(ALL, alike, distance);
    uint start = sum;
    for (int distance = 1; distance < 32; distance *= 2) {
        uint other = __shfl_up_sync(ALL, start, distance);
        start += lane >= distance ? other : 0;
    }
    start -= sum;
    for (int i = 0; i < EACH; i++) {
        counts[lane * EACH + i] = start;
        start += own[i];
    }
    return alike;
}

// The passes that take part: of digits from the lowest one on that differ. In place keys alone take an even number of
// them; elsewhere one takes part at least. Values move in place, and no single pass does that.
static __device__ void choose_passes(Control *control, const float (&alike)[PASSES], bool in_place, int lowest)
{
    uint needed = 0;
    for (int pass = lowest; pass < PASSES; pass++)
        needed += alike[pass] < 1;
    uint more = in_place ? needed % 2 : needed == 0;
    if (MOVES_VALUES && !IS_ORDER)
        more = needed == 1 || (needed == 0 && !in_place) ? 2 - needed : 0;
    needed += more;
    control->left_out = PASSES - needed;
    control->lowest = lowest;
    for (int pass = 0; pass < PASSES; pass++) {
        const bool is_needed = pass >= lowest && alike[pass] < 1, takes_part = is_needed || more > 0;
        more -= !is_needed && more > 0;
        control->out_behind[pass] = PASSES - pass - (takes_part ? needed : 0);
        needed -= takes_part;
    }
}

#if LEADING
#include "kernels/sort/leading_digits.cuh"
#endif

extern "C" __global__ void __launch_bounds__(THREADS)
    histograms(const KEY *elements, Control *scratch, KEY negative, KEY always, KEY below, KEY most, long n,
               long control_at, int in_place)
{
    constexpr int WIDE = 16 / sizeof(KEY), UNROLL = 4;
    extern __shared__ __align__(16) uint counts[];
    __shared__ bool last;
    __shared__ float alike[PASSES];
    Control *control = (Control *)((char *)scratch + control_at);
    Order order = {negative, always, below, most};
    for (int i = threadIdx.x; i < PASSES * DIGITS * COPIES; i += THREADS)
        counts[i] = 0;
    uint tiles = (uint)((n + TILE - 1) / TILE);
    uint *words = tile_words(control, 0, tiles);
    size_t first = (size_t)blockIdx.x * THREADS + threadIdx.x, step = (size_t)gridDim.x * THREADS;
    for (size_t i = first; i < (size_t)PASSES * tiles * DIGITS / 4 + (UNIQUE ? (tiles + 3) / 4 : 0); i += step)
        ((uint4 *)words)[i] = make_uint4(0, 0, 0, 0);
    __syncthreads();
    size_t vectors = n / WIDE;
    for (size_t i = first; i < vectors; i += UNROLL * step) {
        union {
            uint4 vector;
            KEY keys[WIDE];
        } loaded[UNROLL];
#pragma unroll
        for (int u = 0; u < UNROLL; u++)
            if (i + u * step < vectors)
                loaded[u].vector = ((const uint4 *)elements)[i + u * step];
#pragma unroll
        for (int u = 0; u < UNROLL; u++)
#pragma unroll
            for (int e = 0; e < WIDE; e++)
                if (i + u * step < vectors)
                    count(counts, order.alike(order.key(loaded[u].keys[e])));
    }
    if (first < n - vectors * WIDE)
        count(counts, order.alike(order.key(elements[vectors * WIDE + first])));
    __syncthreads();
    for (int i = threadIdx.x; i < PASSES * DIGITS; i += THREADS) {
        uint sum = 0;
        for (int copy = 0; copy < COPIES; copy++)
            sum += counts[i * COPIES + (threadIdx.x + copy) % COPIES];
        if (sum > 0)
            atomicAdd(&control->starts[0][i], sum);
    }
    // The last block to come here makes starts of the counts.
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicAdd(&control->blocks_done, 1) == gridDim.x - 1;
    __syncthreads();
    if (!last)
        return;
    __threadfence();
    const int pass = threadIdx.x / 32;
    if (pass < PASSES) {
        const float probability = make_starts(control->starts[pass], (uint)n);
        if (threadIdx.x % 32 == 0)
            alike[pass] = probability;
    }
    __syncthreads();
    int lowest = 0;
#if LEADING
    lowest = lowest_digit(alike, (uint)n, in_place);
    if (lowest > 0 && !are_told_apart(elements, order, (uint)n, lowest, (ulong *)counts))
        lowest = 0;
#endif
    if (threadIdx.x == 0)
        choose_passes(control, alike, in_place, lowest);
}

// ---- one pass ----------------------------------------------------------------------------------------------------

static __device__ uint load_word(const uint *address)
{
    uint word;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(word) : "l"(address) : "memory");
    return word;
}

static __device__ void store_word(uint *address, uint word)
{
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(address), "r"(word) : "memory");
}

// The number of keys of this digit in all earlier tiles (decoupled look-back). Words of some tiles are read at once:
// those that are not there yet, and what is before them, again. Publishes its own prefix as soon as it is known.
static __device__ uint look_back(uint *words, uint tile, uint digit, uint own)
{
    constexpr int WINDOW = 4;
    uint before = 0;
    if (tile == 0)
        return 0;
    bool found = false;
    // begin look-back
    for (int other = (int)tile - 1; !found;) {
        uint seen[WINDOW];
        for (int i = 0; i < WINDOW; i++)
            seen[i] = load_word(&words[(size_t)max(other - i, 0) * DIGITS + digit]);
        bool adds = true;
        for (int i = 0; i < WINDOW; i++) {
            adds = adds && !found && seen[i] >= OWN;
            before += adds ? seen[i] & COUNT : 0;
            found = found || (adds && seen[i] >= UP_TO);
            other -= adds;
        }
    }
    // end look-back
    store_word(&words[(size_t)tile * DIGITS + digit], UP_TO | (before + own));
    return before;
}

struct alignas(16) Shared {
    Pair pairs[TILE];
    uint offsets[WARPS][DIGITS]; // counts, then the tile's place of the warp's next key of a digit
    uint bases[DIGITS];          // place in the whole array less place in the tile
    uint warp_sums[DIGITS / 32];
    KEY most;
    uint tile;
    int pass;
};

// The lanes of the warp that hold this digit.
static __device__ uint matching_lanes(uint digit)
{
#if MATCH
    uint alike[8];
#pragma unroll
    for (int bit = 0; bit < 8; bit++)
        alike[bit] = lanes_alike(digit & 1u << bit);
    const uint five = and_three(and_three(alike[0], alike[1], alike[2]), alike[3], alike[4]);
    return and_three(five, alike[5], alike[6]) & alike[7];
#else
    return __match_any_sync(ALL, digit);
#endif
}

// Puts pairs in their places of the tile: warps in order, in a warp item by item, among these lane by lane.
static __device__ void rank(const Pair (&pairs)[ITEMS], Pair *tile, Order order, volatile uint *offsets, int pass)
{
    uint lane = threadIdx.x % 32, lanes_below = (1u << lane) - 1, lanes_above = ~lanes_below << 1;
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        uint digit = digit_of(order.alike(pairs[i].key), pass), lanes = matching_lanes(digit);
        uint below = __popc(lanes & lanes_below), offset = offsets[digit];
        __syncwarp();
        if ((lanes & lanes_above) == 0) // the last one
            offsets[digit] = offset + below + 1;
        tile[offset + below] = pairs[i];
        __syncwarp();
    }
}

// Where the elements are at first, and where they and their values, or their order, go at last; between passes they go
// from `from` to `to`. There the last pass of an order leaves its keys, if runs of them are still to be sorted.
struct Way {
    const KEY *elements;
    KEY *array;
    RESULT *values;
    const Pair *from;
    Pair *to;
    bool keeps_keys;
};

template <bool FIRST> static __device__ Pair load(const Way &way, Order order, size_t at)
{
    if (!FIRST)
        return way.from[at];
    Pair pair;
    pair.key = order.key(way.elements[at]);
#if MOVES_VALUES
    pair.value = IS_ORDER ? (VALUE)at : (VALUE)way.values[at];
#endif
    return pair;
}

template <bool LAST> static __device__ void store(const Way &way, Order order, uint at, Pair pair)
{
    if (!LAST) {
        way.to[at] = pair;
        return;
    }
    if (!IS_ORDER)
        way.array[at] = order.bits(pair.key);
    else if (LEADING && way.keeps_keys)
        ((KEY *)way.to)[at] = pair.key;
#if MOVES_VALUES
    way.values[at] = pair.value;
#endif
}

// Pairs that are no whole words go out by words of 4 bytes: a warp's lie side by side.
static __device__ void store_words(Pair *to, const Shared &shared, Order order, uint valid, int pass)
{
    constexpr int WORDS = sizeof(Pair) / 4;
#pragma unroll 6
    for (int i = 0; i < WORDS * ITEMS; i++) {
        const uint word = threadIdx.x + i * THREADS, place = word / WORDS;
        if (valid < TILE && place >= valid)
            continue;
        const size_t base = shared.bases[digit_of(order.alike(shared.pairs[place].key), pass)];
        ((uint *)to)[WORDS * base + word] = ((const uint *)shared.pairs)[word];
    }
}

template <bool FIRST, bool LAST>
static __device__ void sweep_tile(Way way, Control *control, Order order, uint n, int pass)
{
    extern __shared__ uint4 dynamic[];
    Shared &shared = *(Shared *)dynamic;
    uint tiles = (n + TILE - 1) / TILE, *words = tile_words(control, pass, tiles);
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    uint digit = threadIdx.x;
    if (threadIdx.x == 0) {
        shared.tile = atomicAdd(&control->next_tile[pass], 1);
        shared.pass = pass;
        shared.most = order.most;
    }
    for (int d = lane; d < DIGITS; d += 32)
        shared.offsets[warp][d] = 0;
    uint begin = digit < DIGITS ? control->starts[pass][digit] : 0;
    __syncthreads();
    uint tile = shared.tile, valid = min(n - tile * TILE, TILE);

    // Keys beyond the end are the greatest: they take the last places of the tile, and are not written.
    Pair pairs[ITEMS];
    const uint in_tile = warp * 32 * ITEMS + lane;
    const size_t begins = (size_t)tile * TILE + in_tile;
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        if (valid == TILE || in_tile + 32 * i < valid)
            pairs[i] = load<FIRST>(way, order, begins + 32 * i);
        else
            pairs[i].key = (KEY)-1;

            // Counted before they are ranked, so that later tiles wait less.
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        atomicAdd(&shared.offsets[warp][digit_of(order.alike(pairs[i].key), pass)], 1);
    __syncthreads();
    uint own = 0;
    if (digit < DIGITS) {
#pragma unroll
        for (int w = 0; w < WARPS; w++)
            own += shared.offsets[w][digit];
        store_word(&words[(size_t)tile * DIGITS + digit], (tile == 0 ? UP_TO : OWN) | own);
    }
    uint start = exclusive_sum(own, shared.warp_sums);
    if (digit < DIGITS) {
        uint offset = start;
#pragma unroll
        for (int w = 0; w < WARPS; w++) {
            uint counted = shared.offsets[w][digit];
            shared.offsets[w][digit] = offset;
            offset += counted;
        }
    }
    __syncthreads();

    // The compiler would keep the digits that were counted, which takes more registers than there are.
    pass = *(volatile int *)&shared.pass;
    order.most = *(volatile KEY *)&shared.most;
    rank(pairs, shared.pairs, order, shared.offsets[warp], pass);
    if (digit < DIGITS)
        shared.bases[digit] = begin + look_back(words, tile, digit, own) - start;
    __syncthreads();
    if (!LAST && MOVES_VALUES && !IS_ONE_WORD) {
        store_words(way.to, shared, order, valid, pass);
        return;
    }
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        uint place = threadIdx.x + i * THREADS;
        if (valid < TILE && place >= valid)
            continue;
        const Pair pair = shared.pairs[place];
        store<LAST>(way, order, shared.bases[digit_of(order.alike(pair.key), pass)] + place, pair);
    }
}

// The passes that take part go to and fro, keys alone between the array, which the last one writes, and scratch memory;
// keys with values within it, as its second half is at `second_at`. The first reads the elements, and values where they
// are; the last writes the array or, for the order alone, the indices. `values` is not read without them. `again`: once
// more, if the leading digits did not do.
extern "C" __global__ void __launch_bounds__(THREADS, GROUPS)
    sweep(const KEY *elements, KEY *array, Control *scratch, KEY negative, KEY always, KEY below, KEY most, long n,
          long control_at, int pass, long second_at, RESULT *values, int again)
{
    wait_for_launch_before();
    char *memory = (char *)scratch;
    Control *control = (Control *)(memory + control_at);
    const uint left = PASSES - pass - control->out_behind[pass]; // passes, with this one
    if (left == 0 || (again && !control->failed))
        return;
    const bool first = left == PASSES - control->left_out;
    Pair *own = (Pair *)(MOVES_VALUES ? memory + second_at : (char *)array), *other = (Pair *)memory;
    const Way way = {elements, array, values, left % 2 ? other : own, left % 2 ? own : other, control->lowest > 0};
    const Order order = {negative, always, below, most};
    if (first && left == 1 && (IS_ORDER || !MOVES_VALUES)) // no single pass moves values
        sweep_tile<true, true>(way, control, order, (uint)n, pass);
    else if (first)
        sweep_tile<true, false>(way, control, order, (uint)n, pass);
    else if (left == 1)
        sweep_tile<false, true>(way, control, order, (uint)n, pass);
    else
        sweep_tile<false, false>(way, control, order, (uint)n, pass);
}

#if UNIQUE
#include "kernels/sort/distinct.cuh"
#endif
