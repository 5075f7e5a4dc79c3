// rung:    select
// takes:   order values top
// idea:    the first few are found, not sorted: from the highest digit on, counts say which keys can still be among them
// tune:    GROUP = 512 in 64 128 256 512; ITEMS = 16 in 8 16
// tune:    GROUPS = 528 in 132 264 528 1056
// group:   GROUP
// groups:  max(1, min(GROUPS, ceil(n / (GROUP * ITEMS))))
// entry:   count
// require: n < 4294967296, has 32 bits for a place: up to 4294967295 elements
//
// Radix selection of the first `top` of the stable order. A pass counts 11 bits of the keys that agree with the last of
// the first ones in all higher bits, and so finds these bits of it. Equal keys are told apart by their places, whose
// digits follow those of the key. A pass that takes all keys of a digit is the last one; those behind it do nothing.

#if ELEMENT_BYTES == 8
typedef ulong KEY;
#else
typedef uint KEY;
#endif
#if VALUES == 4
typedef ulong INDEX;
#else
typedef uint INDEX;
#endif
#define SIGN (8 * ELEMENT_BYTES - 1)
#define ALL_BITS ((KEY)-1)

#define DIGIT_BITS 11
#define DIGITS (1 << DIGIT_BITS)
#define KEY_PASSES ((8 * ELEMENT_BYTES + DIGIT_BITS - 1) / DIGIT_BITS)
#define PASSES (KEY_PASSES + 3)
#define TOP_MAX 2048

// words: the counts of each pass's digits; what was known before each pass (struct Known, save the key); how many are
// taken; their places. keys: the key of what was known before each pass; the keys that are taken.
#define KNOWN_AT (PASSES * DIGITS)
#define TAKEN_AT (KNOWN_AT + 3 * (PASSES + 1))
#define PLACES_AT (TAKEN_AT + 1)
#define KEYS_AT (PASSES + 1)

// The order of elements: sort.h's keys, where all NaNs, which are above `most`, are alike.
#define FLIPPED(bits) ((bits) ^ always ^ ((bits) >> SIGN ? negative : 0))
#define TO_KEY(bits) min((KEY)(FLIPPED(bits) - below), most)

// The last of the first ones, as far as it is known: its key and its place, their unknown bits 0.
struct Known {
    KEY key;
    uint place;
    uint left;  // so many of the first ones agree with the known bits
    uint found; // whether they are all that agree: then key and place are the greatest that are taken
};

// A pass's digit: of which bits, and whether of the place.
struct Digit {
    int shift, bits;
    int is_place;
};

struct Digit digit_of_pass(int pass)
{
    struct Digit digit;
    digit.is_place = pass >= KEY_PASSES;
    int width = digit.is_place ? 32 : 8 * ELEMENT_BYTES;
    int above = width - DIGIT_BITS * (digit.is_place ? pass - KEY_PASSES : pass);
    digit.bits = min(above, DIGIT_BITS);
    digit.shift = above - digit.bits;
    return digit;
}

// What is known after a pass: the digit at which the counts reach `left`. The whole group comes here; `sums` has GROUP
// words, `chosen` three.
struct Known choose(__global const uint *counts, struct Known known, struct Digit digit, local_pointer uint *sums,
                    local_pointer uint *chosen)
{
    const int item = get_local_id(0), each = DIGITS / GROUP;
    uint own = 0;
    for (int i = 0; i < each; i++)
        own += counts[item * each + i];
    uint sum = own;
    sums[item] = own;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int distance = 1; distance < GROUP; distance *= 2) {
        uint other = item >= distance ? sums[item - distance] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += other;
        sums[item] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    uint before = sum - own;
    if (before < known.left && known.left <= sum) {
        int at = item * each;
        while (before + counts[at] < known.left) {
            before += counts[at];
            at++;
        }
        chosen[0] = (uint)at;
        chosen[1] = known.left - before;
        chosen[2] = counts[at] == known.left - before;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    known.left = chosen[1];
    known.found = chosen[2];
    if (digit.is_place)
        known.place |= chosen[0] << digit.shift | (known.found ? (1u << digit.shift) - 1 : 0);
    else
        known.key |= (KEY)chosen[0] << digit.shift | (known.found ? ((KEY)1 << digit.shift) - 1 : 0);
    if (known.found && !digit.is_place)
        known.place = 0xffffffffu;
    return known;
}

// What is known before a pass, of the pass before.
struct Known known_before(int pass, uint top, __global const uint *words, __global const KEY *keys,
                          local_pointer uint *sums, local_pointer uint *chosen)
{
    struct Known known;
    if (pass == 0) {
        known.key = 0;
        known.place = 0;
        known.left = top;
        known.found = 0;
        return known;
    }
    __global const uint *known_words = words + KNOWN_AT + 3 * (pass - 1);
    known.key = keys[pass - 1];
    known.place = known_words[0];
    known.left = known_words[1];
    known.found = known_words[2];
    if (known.found)
        return known;
    return choose(words + (pass - 1) * DIGITS, known, digit_of_pass(pass - 1), sums, chosen);
}

// Counts a pass's digits, equal ones that an item meets one after another at once.
__kernel void count(__global const KEY *elements, __global uint *words, __global KEY *keys, KEY negative, KEY always,
                    KEY below, KEY most, long n, int pass, uint top)
{
    local_array uint bins[DIGITS];
    local_array uint sums[GROUP];
    local_array uint chosen[3];
    const int item = get_local_id(0);
    const struct Known known = known_before(pass, top, words, keys, sums, chosen);
    const struct Digit digit = digit_of_pass(pass);
    if (get_group_id(0) == 0 && item == 0) {
        keys[pass] = known.key;
        words[KNOWN_AT + 3 * pass] = known.place;
        words[KNOWN_AT + 3 * pass + 1] = known.left;
        words[KNOWN_AT + 3 * pass + 2] = known.found;
    }
    if (known.found)
        return;
    for (int i = item; i < DIGITS; i += GROUP)
        bins[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    // The bits that are known, of the key and of the place.
    const int above = digit.shift + digit.bits;
    const KEY key_mask = digit.is_place ? ALL_BITS : pass == 0 ? 0 : ALL_BITS << above;
    const uint place_mask = pass <= KEY_PASSES ? 0 : 0xffffffffu << above;
    const uint last = (1u << digit.bits) - 1;
    uint run = 0, run_digit = 0;
    for (long tile = (long)get_group_id(0) * (GROUP * ITEMS); tile < n;
         tile += (long)get_num_groups(0) * (GROUP * ITEMS)) {
        KEY loaded[ITEMS];
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            loaded[i] = tile + i * GROUP + item < n ? elements[tile + i * GROUP + item] : 0;
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            KEY key = TO_KEY(loaded[i]);
            uint place = (uint)(tile + i * GROUP + item);
            if (tile + i * GROUP + item >= n || (key & key_mask) != known.key || (place & place_mask) != known.place)
                continue;
            uint found = (digit.is_place ? place >> digit.shift : (uint)(key >> digit.shift)) & last;
            // begin run
            if (found != run_digit) {
                if (run > 0)
                    atomic_add(&bins[run_digit], run);
                run_digit = found;
                run = 0;
            }
            run++;
            // end run
        }
    }
    if (run > 0)
        atomic_add(&bins[run_digit], run);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = item; i < DIGITS; i += GROUP)
        if (bins[i] > 0)
            atomic_add(&words[pass * DIGITS + i], bins[i]);
}

// Takes the first ones, in any order.
__kernel void take(__global const KEY *elements, __global uint *words, __global KEY *keys, KEY negative, KEY always,
                   KEY below, KEY most, long n, uint top)
{
    local_array uint sums[GROUP];
    local_array uint chosen[3];
    const int item = get_local_id(0);
    const struct Known known = known_before(PASSES, top, words, keys, sums, chosen);
    for (long tile = (long)get_group_id(0) * (GROUP * ITEMS); tile < n;
         tile += (long)get_num_groups(0) * (GROUP * ITEMS)) {
        KEY loaded[ITEMS];
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            loaded[i] = tile + i * GROUP + item < n ? elements[tile + i * GROUP + item] : 0;
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            KEY key = TO_KEY(loaded[i]);
            uint place = (uint)(tile + i * GROUP + item);
            if (tile + i * GROUP + item < n && (key < known.key || (key == known.key && place <= known.place))) {
                uint at = atomic_inc(&words[TAKEN_AT]);
                keys[KEYS_AT + at] = key;
                words[PLACES_AT + at] = place;
            }
        }
    }
}

// Sorts them in one group's local memory, bitonically, by key and place. `length` is a power of two, not below `top`.
__kernel void finish(__global const uint *words, __global const KEY *keys, __global INDEX *indices, uint top,
                     int length)
{
    local_array KEY taken[TOP_MAX];
    local_array uint places[TOP_MAX];
    const int item = get_local_id(0);
    for (int i = item; i < length; i += GROUP) {
        taken[i] = i < (int)top ? keys[KEYS_AT + i] : ALL_BITS;
        places[i] = i < (int)top ? words[PLACES_AT + i] : 0xffffffffu;
    }
    for (int k = 2; k <= length; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            for (int pair = item; pair < length / 2; pair += GROUP) {
                int low = 2 * pair - (pair & (j - 1)), high = low + j;
                KEY a = taken[low], b = taken[high];
                uint p = places[low], q = places[high];
                if ((a > b || (a == b && p > q)) == ((low & k) == 0)) {
                    taken[low] = b;
                    taken[high] = a;
                    places[low] = q;
                    places[high] = p;
                }
            }
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = item; i < (int)top; i += GROUP)
        indices[i] = places[i];
}
