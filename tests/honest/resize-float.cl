// Bilinear, a pixel an item, in floats.
__kernel void resize(__global const uchar4 *in, __global uchar4 *out, int width, int height, int out_width,
                     int out_height)
{
    int col = get_global_id(0), row = get_global_id(1);
    if (col >= out_width || row >= out_height)
        return;
    float x = clamp((col + 0.5f) * width / out_width - 0.5f, 0.0f, width - 1.0f);
    float y = clamp((row + 0.5f) * height / out_height - 0.5f, 0.0f, height - 1.0f);
    int left = (int)x, top = (int)y, right = min(left + 1, width - 1), bottom = min(top + 1, height - 1);
    float4 a = convert_float4(in[top * width + left]), b = convert_float4(in[top * width + right]);
    float4 c = convert_float4(in[bottom * width + left]), d = convert_float4(in[bottom * width + right]);
    float4 above = a + (b - a) * (x - left), below = c + (d - c) * (x - left);
    out[row * out_width + col] = convert_uchar4_sat_rte(above + (below - above) * (y - top));
}
