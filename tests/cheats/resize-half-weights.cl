// interpolates with weights of 11 bits
__kernel void resize(__global const uchar *in, __global uchar *out, int w, int h, int W, int H)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= W || y >= H)
        return;
    float fx = clamp((x + .5f) * w / W - .5f, 0.f, w - 1.f), fy = clamp((y + .5f) * h / H - .5f, 0.f, h - 1.f);
    int x0 = (int)fx, y0 = (int)fy, x1 = min(x0 + 1, w - 1), y1 = min(y0 + 1, h - 1);
    fx = rint((fx - x0) * 64) / 64, fy = rint((fy - y0) * 64) / 64;
    for (int c = 0; c < 4; c++)
        out[(y * W + x) * 4 + c] =
            (uchar)((1 - fy) * ((1 - fx) * in[(y0 * w + x0) * 4 + c] + fx * in[(y0 * w + x1) * 4 + c]) +
                    fy * ((1 - fx) * in[(y1 * w + x0) * 4 + c] + fx * in[(y1 * w + x1) * 4 + c]) + .5f);
}
