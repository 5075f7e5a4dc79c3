// rung:    rows
// idea:    an item makes 4 pixels of ROWS rows: rows of the source widened once stay with it, as sums that are floats already
// tune:    BX = 32 in 8 16 32 64 128; BY = 1 in 1 2 4 8
// tune:    ROWS = min(32, max(2, floor(out_width * out_height / 1048576))) in 2 4 8 16 32
// group:   BX, BY
// groups:  ceil(out_width / (4 * BX)), ceil(out_height / (BY * ROWS))
// bound:   1 / 32 + 0.0000456 * (width + height)
//
// Coordinates are counted exactly, in units of 1 / (2 * out_size) of a pixel: one division of 64 bits for an item's
// first pixel, and steps from there. So pictures may be as large as they like.

// Pixel `low` and the next, parted at rest / whole; `out` is 2 * out_size.
typedef struct {
    int low, rest;
} Place;

// Division of 64 bits takes a hundred instructions.
int quotient(long number, int divisor)
{
    return number < 1l << 31 ? (int)number / divisor : (int)(number / divisor);
}

Place place_of(int index, int size, int out_size)
{
    long position = (2 * (long)index + 1) * size - out_size;
    Place place;
    place.low = position < 0 ? -1 : quotient(position, 2 * out_size);
    place.rest = (int)(position - 2 * (long)out_size * place.low);
    return place;
}

// The next coordinate: step_low whole pixels and step_rest on.
Place next_place(Place place, int step_low, int step_rest, int whole)
{
    place.low += step_low;
    place.rest += step_rest;
    if (place.rest >= whole) {
        place.rest -= whole;
        place.low++;
    }
    return place;
}

// A share of 2^15 parts; the sum of two floats is rounded to these.
#define SHARE(rest, part) (fma((float)(rest), part, 384.0f) - 384.0f)

// The weights of pixel `low` and of the next: 16 bits each, 2^15 together.
uint weights_of(Place place, float part)
{
    uint right = (uint)(SHARE(place.rest, part) * 32768.0f);
    return (32768 - right) | right << 16;
}

// A float's bits: 2^23, and half a unit of 2^15.
#define START 0x4b004000u

#ifdef __CUDA_ARCH__
#define PAIRS(left, right, high) __byte_perm(left, right, high ? 0x7362 : 0x5140)
#define WEIGH(weights, pairs, high) (high ? __dp2a_hi(weights, pairs, START) : __dp2a_lo(weights, pairs, START))
#define MIDDLE(low, high) __byte_perm(low, high, 0x6521)
#else
#define PAIRS(left, right, high) pairs_of(high ? (left) >> 16 : left, high ? (right) >> 16 : right)
#define WEIGH(weights, pairs, high) weigh(weights, high ? (pairs) >> 16 : pairs)
#define MIDDLE(low, high) ((low) >> 8 & 0xffff | (high) << 8 & 0xffff0000)

uint pairs_of(uint left, uint right)
{
    return (left & 255) | (right & 255) << 8 | (left & 0xff00) << 8 | (right & 0xff00) << 16;
}

uint weigh(uint weights, uint pair)
{
    return START + (weights & 0xffff) * (pair & 255) + (weights >> 16) * (pair >> 8 & 255);
}
#endif

// A pixel and the next, weighed: in units of 2^15, above START.
float4 widened(__global const uchar *at, uint next, uint weights)
{
    uint left = ((__global const uint *)at)[0], right = ((__global const uint *)at)[next];
    // begin widen
    uint first = PAIRS(left, right, 0), last = PAIRS(left, right, 1);
    return make_float4(as_float(WEIGH(weights, first, 0)), as_float(WEIGH(weights, first, 1)),
                       as_float(WEIGH(weights, last, 0)), as_float(WEIGH(weights, last, 1)));
    // end widen
}

// Bits 15 to 22 of each.
uint pixel_of(float4 value)
{
    uint even = MIDDLE(as_uint(value.x), as_uint(value.z)), odd = MIDDLE(as_uint(value.y), as_uint(value.w));
    return ((even >> 7 ^ odd << 1) & 0x00ff00ff) ^ odd << 1;
}

__kernel void resize(__global const uchar *in, __global uchar *out, long in_width, long in_height, long out_width,
                     long out_height)
{
    int width = in_width, height = in_height, columns = out_width, rows = out_height;
    int col = get_group_id(0) * (4 * BX) + get_local_id(0), row = get_global_id(1) * ROWS;
    if (col >= columns)
        return;
    int step_x = quotient((long)BX * width, columns), step_y = height / rows;
    int step_rest_x = 2 * ((long)BX * width - (long)step_x * columns), step_rest_y = 2 * (height - step_y * rows);

    // The next pixel is one on, but for the last one's: it is weighed with the one before.
    __global const uchar *at[4];
    uint weights[4], pitch = 4u * width, next = width > 1;
    Place place = place_of(col, width, columns);
    for (int k = 0; k < 4; k++) {
        int low = clamp(place.low, 0, max(width - 2, 0));
        at[k] = in + 4l * low;
        weights[k] = place.low < 0 ? 32768 : place.low > low ? 32768u << 16 * next : weights_of(place, 0.5f / columns);
        place = next_place(place, step_x, step_rest_x, 2 * columns);
    }

    float4 upper[4], down[4]; // the upper row, and what the lower one has more
    int upper_row = -1, lower_row = -1;
    float part = 0.5f / rows;
    __global uint *target = (__global uint *)out + (long)row * columns + col;
    place = place_of(row, height, rows);
    for (int left = min(ROWS, rows - row); left > 0; left--) {
        int wanted_upper = max(place.low, 0), wanted_lower = min(place.low + 1, height - 1);
        if (wanted_upper != upper_row && wanted_upper == lower_row) {
            for (int k = 0; k < 4; k++)
                upper[k] += down[k];
        } else if (wanted_upper != upper_row) {
            for (int k = 0; k < 4; k++)
                upper[k] = widened(at[k] + (ulong)(uint)wanted_upper * pitch, next, weights[k]);
        }
        if (wanted_upper != upper_row || wanted_lower != lower_row)
            for (int k = 0; k < 4; k++)
                down[k] = widened(at[k] + (ulong)(uint)wanted_lower * pitch, next, weights[k]) - upper[k];
        upper_row = wanted_upper;
        lower_row = wanted_lower;
        float share = SHARE(place.rest, part);
        for (int k = 0; k < 4; k++) {
            uint pixel = pixel_of(upper[k] + down[k] * share);
            if (col + k * BX < columns)
                store_evict_first(target + k * BX, pixel);
        }
        target += columns;
        place = next_place(place, step_y, step_rest_y, 2 * rows);
    }
}
