// rung:    packed
// idea:    doubling alone: weights 9:3:3:1 in integers, two channels to a register, so that arithmetic hides behind memory
// tune:    BX = 32 in 16 32 64 128 256; BY = 4 in 1 2 4 8; ROWS = 2 in 1 2 4 8 16 32
// group:   BX, BY
// groups:  ceil(width / (2 * BX)), ceil(height / (BY * ROWS))
// args:    in, out, int(width), int(height)
// require: out_width == 2 * width && out_height == 2 * height, doubles the picture and nothing else
//
// A channel's sum is at most 16 * 255 + 8, so that two of them share 32 bits without touching: red and blue in one
// register, green and alpha in another. An item walks down ROWS rows of the source with two columns of it; it keeps
// the rows that it has widened, so each pixel of the source is unpacked once and each sum across made once.

#define LOW_BYTES 0x00ff00ffu
#define HALVES 0x00080008u // half of 16 for both channels

// A row of the source, widened: four target columns, red and blue in .a, green and alpha in .b, four times too large.
typedef struct {
    uint4 a, b;
} Wide;

// begin widen
uint4 widen(uint p0, uint p1, uint p2, uint p3)
{
    return make_uint4(3 * p1 + p0, 3 * p1 + p2, 3 * p2 + p1, 3 * p2 + p3);
}
// end widen

Wide load_row(__global const uint *in, int row, int col, int width, int height)
{
    __global const uint *source = in + (long)clamp(row, 0, height - 1) * width;
    uint p0 = source[max(col - 1, 0)];
    uint p1 = source[col];
    uint p2 = source[min(col + 1, width - 1)];
    uint p3 = source[min(col + 2, width - 1)];
    Wide wide;
    wide.a = widen(p0 & LOW_BYTES, p1 & LOW_BYTES, p2 & LOW_BYTES, p3 & LOW_BYTES);
    wide.b = widen(p0 >> 8 & LOW_BYTES, p1 >> 8 & LOW_BYTES, p2 >> 8 & LOW_BYTES, p3 >> 8 & LOW_BYTES);
    return wide;
}

uint pack(uint a, uint b)
{
    return (a >> 4 & LOW_BYTES) | (b << 4 & ~LOW_BYTES);
}

// Four pixels; where the row is odd and short, its second half lies beyond the end.
void store_row(__global uint *out, uint4 a, uint4 b, int col, int width)
{
    uint4 pixels = make_uint4(pack(a.x, b.x), pack(a.y, b.y), pack(a.z, b.z), pack(a.w, b.w));
    if (width % 2 == 0) {
        store_evict_first((__global uint4 *)out, pixels);
    } else {
        store_evict_first((__global uint2 *)out, make_uint2(pixels.x, pixels.y));
        if (col + 1 < width)
            store_evict_first((__global uint2 *)out + 1, make_uint2(pixels.z, pixels.w));
    }
}

__kernel void resize(__global const uchar *in, __global uchar *out, int width, int height)
{
    int col = get_global_id(0) * 2;
    int row = get_global_id(1) * ROWS;
    if (col >= width || row >= height)
        return;
    __global const uint *source = (__global const uint *)in;
    __global uint *target = (__global uint *)out + 4 * (long)width * row + 2 * col;
    Wide above = load_row(source, row - 1, col, width, height);
    Wide here = load_row(source, row, col, width, height);
    for (int i = 0; i < ROWS && row + i < height; i++) {
        Wide below = load_row(source, row + i + 1, col, width, height);
        // begin rows
        uint4 a = here.a * 3u + HALVES, b = here.b * 3u + HALVES;
        store_row(target, a + above.a, b + above.b, col, width);
        store_row(target + 2 * width, a + below.a, b + below.b, col, width);
        target += 4 * (long)width;
        above = here;
        here = below;
        // end rows
    }
}
