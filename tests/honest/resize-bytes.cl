// bytes, not vectors
__kernel void resize(__global const uchar *in, __global uchar *out, int w, int h, int ow, int oh)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= ow || y >= oh)
        return;
    float fx = fmin(fmax((x + .5f) * w / ow - .5f, 0.f), (float)(w - 1));
    float fy = fmin(fmax((y + .5f) * h / oh - .5f, 0.f), (float)(h - 1));
    int x0 = (int)fx, y0 = (int)fy, x1 = x0 + (x0 < w - 1), y1 = y0 + (y0 < h - 1);
    fx -= x0;
    fy -= y0;
    for (int c = 0; c < 4; ++c) {
        float v = (1 - fy) * ((1 - fx) * in[4 * (y0 * w + x0) + c] + fx * in[4 * (y0 * w + x1) + c]) +
                  fy * ((1 - fx) * in[4 * (y1 * w + x0) + c] + fx * in[4 * (y1 * w + x1) + c]);
        out[4 * (y * ow + x) + c] = (uchar)(v + 0.5f);
    }
}
