// rung:    bitonic-step
// takes:   order
// idea:    one launch per (k, j): each item compares one element with its partner i xor j
// tune:    GROUP = 256 in 64 128 256 512 1024
// group:   GROUP
// groups:  ceil(n / GROUP)
// entry:   exchange
//
// Elements are seen as bits; `negative`, `always` and `below` map them to keys (order.h).

#if ELEMENT_BYTES == 8
typedef ulong KEY;
#else
typedef uint KEY;
#endif
#define SIGN (8 * ELEMENT_BYTES - 1)
#define TO_KEY(bits) (((bits) ^ always ^ ((bits) >> SIGN ? negative : 0)) - below)
#define TO_BITS(key) TO_BITS_OF_FLIPPED(((key) + below) ^ always)
#define TO_BITS_OF_FLIPPED(flipped) ((flipped) ^ ((flipped) >> SIGN ? negative : 0))

// Not a power of two: the keys are sorted in scratch memory, filled up with the greatest.
__kernel void fill_up(__global const KEY *data, __global KEY *keys, KEY negative, KEY always, KEY below, long count,
                      long length)
{
    long i = get_global_id(0);
    KEY greatest = TO_BITS((KEY)-1);
    if (i < length)
        keys[i] = i < count ? data[i] : greatest;
}

__kernel void exchange(__global KEY *keys, KEY negative, KEY always, KEY below, long count, long j, long k)
{
    long i = get_global_id(0);
    // begin pair
    long partner = i ^ j;
    if (partner < i || partner >= count)
        return;
    KEY a = keys[i], b = keys[partner];
    if ((TO_KEY(a) > TO_KEY(b)) == ((i & k) == 0)) {
        keys[i] = b;
        keys[partner] = a;
    }
    // end pair
}
