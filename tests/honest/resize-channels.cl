__kernel void resize_bytes(__global const uchar *in, __global uchar *out, uint w, uint h, uint W, uint H)
{
    uint x = get_global_id(0), y = get_global_id(1);
    if (x >= W || y >= H)
        return;
    float u = max((x + 0.5f) * ((float)w / W) - 0.5f, 0.0f), v = max((y + 0.5f) * ((float)h / H) - 0.5f, 0.0f);
    uint x0 = min((uint)u, w - 1), y0 = min((uint)v, h - 1), x1 = min(x0 + 1, w - 1), y1 = min(y0 + 1, h - 1);
    float a = min(u - x0, 1.0f), b = min(v - y0, 1.0f);
    for (uint k = 0; k < 4; k++)
        out[(y * W + x) * 4 + k] = convert_uchar_sat_rte(
            (1 - a) * (1 - b) * in[(y0 * w + x0) * 4 + k] + a * (1 - b) * in[(y0 * w + x1) * 4 + k] +
            (1 - a) * b * in[(y1 * w + x0) * 4 + k] + a * b * in[(y1 * w + x1) * 4 + k]);
}
