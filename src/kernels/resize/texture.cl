// rung:    texture
// idea:    the texture unit finds the four pixels and interpolates: one instruction for a pixel
// tune:    BX = 32 in 8 16 32 64 128 256; BY = 8 in 1 2 4 8 16
// group:   BX, BY
// groups:  ceil(out_width / BX), ceil(out_height / BY)
// args:    in, out, int(width), int(height), int(out_width), int(out_height)
// bound:   1 / 32 + 0.0000456 * (width + height)
// needs:   images
// require: max(width, height) <= 8192, beyond 8192 pixels along a side of the source float coordinates are too coarse
// require: (4 * width) % out_width == 0 && (4 * height) % out_height == 0, GPUs round the weights to 8 bits and are up to 2 units off at this ratio
//
// The host half puts the texture in the place of the array. The weights along an axis are multiples of
// width / (2 * out_width), and those of the four pixels are their products. NVIDIA's texture units keep 8 bits. An H200
// was exact with multiples of 1/8 along both axes, and 1.5 units off with 1/4 along one and 1/128 along the other.

__kernel void resize(texture_argument in, __global uchar *out, int width, int height, int out_width, int out_height)
{
    int col = get_global_id(0);
    int row = get_global_id(1);
    if (col >= out_width || row >= out_height)
        return;
    float x = width * (col + 0.5f) / out_width;
    float y = height * (row + 0.5f) / out_height;
    // begin unit
    float4 pixel = texture_linear(in, x, y) * 255.0f;
    ((__global uchar4 *)out)[(long)row * out_width + col] = convert_uchar4_sat_rte(pixel);
    // end unit
}
