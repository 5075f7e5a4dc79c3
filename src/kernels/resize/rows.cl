// rung:    rows
// idea:    an item makes 4 pixels of ROWS rows: one store of 16 bytes, and rows of the source widened once stay with it
// tune:    BX = 32 in 8 16 32 64 128; BY = 1 in 1 2 4 8
// tune:    ROWS = max(2, floor(out_width * out_height / 2097152)) in 2 4 8 16 32
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

Place place_of(int index, int size, int out_size)
{
    long position = (2 * (long)index + 1) * size - out_size;
    Place place;
    place.low = position < 0 ? -1 : (int)(position / (2 * out_size));
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

float4 between(float4 a, float4 b, float share)
{
    return a + (b - a) * share;
}

// To the nearest integer: beyond 2^23 a float has no bits behind the point.
uint rounded(float value)
{
    return as_uint(value + 8388608.0f) & 255;
}

uint pixel_of(float4 value)
{
    return rounded(value.x) | rounded(value.y) << 8 | rounded(value.z) << 16 | rounded(value.w) << 24;
}

__kernel void resize(__global const uchar *in, __global uchar *out, long width, long height, long out_width,
                     long out_height)
{
    int col = get_global_id(0) * 4;
    int row = get_global_id(1) * ROWS;
    if (col >= out_width || row >= out_height)
        return;
    int whole_x = 2 * out_width, whole_y = 2 * out_height;
    int step_x = width / out_width, step_y = height / out_height;
    int step_rest_x = 2 * (width - step_x * out_width), step_rest_y = 2 * (height - step_y * out_height);

    int left[4], right[4];
    float share[4];
    Place place = place_of(col, width, out_width);
    for (int i = 0; i < 4; i++) {
        left[i] = clamp(place.low, 0, (int)width - 1);
        right[i] = clamp(place.low + 1, 0, (int)width - 1);
        share[i] = (float)place.rest / whole_x;
        place = next_place(place, step_x, step_rest_x, whole_x);
    }

    float4 upper[4], lower[4];
    int upper_row = -1, lower_row = -1;
    place = place_of(row, height, out_height);
    for (int i = 0; i < ROWS && row + i < out_height; i++) {
        int wanted_upper = clamp(place.low, 0, (int)height - 1), wanted_lower = min(place.low + 1, (int)height - 1);
        if (wanted_upper != upper_row) {
            __global const uchar4 *source = (__global const uchar4 *)in + (long)wanted_upper * width;
            for (int k = 0; k < 4; k++)
                // begin reuse
                upper[k] = wanted_upper == lower_row
                               ? lower[k]
                               : between(convert_float4(source[left[k]]), convert_float4(source[right[k]]), share[k]);
            // end reuse
            upper_row = wanted_upper;
        }
        if (wanted_lower != lower_row) {
            __global const uchar4 *source = (__global const uchar4 *)in + (long)wanted_lower * width;
            for (int k = 0; k < 4; k++)
                lower[k] = between(convert_float4(source[left[k]]), convert_float4(source[right[k]]), share[k]);
            lower_row = wanted_lower;
        }
        float down = (float)place.rest / whole_y;
        uint pixels[4];
        for (int k = 0; k < 4; k++)
            pixels[k] = pixel_of(between(upper[k], lower[k], down));
        __global uint *target = (__global uint *)out + (row + i) * out_width + col;
        if (out_width % 4 == 0)
            store_evict_first((__global uint4 *)target, make_uint4(pixels[0], pixels[1], pixels[2], pixels[3]));
        else
            for (int k = 0; k < 4 && col + k < out_width; k++)
                target[k] = pixels[k];
        place = next_place(place, step_y, step_rest_y, whole_y);
    }
}
