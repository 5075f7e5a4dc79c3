kernel void bilinear(global const uchar4 *restrict src, global uchar4 *restrict dst, uint srcW, uint srcH, uint dstW,
                     uint dstH)
{
    size_t x = get_global_id(0), y = get_global_id(1);
    if (x >= dstW || y >= dstH)
        return;
    float fx = clamp(((float)x + 0.5f) * srcW / dstW - 0.5f, 0.0f, (float)(srcW - 1));
    float fy = clamp(((float)y + 0.5f) * srcH / dstH - 0.5f, 0.0f, (float)(srcH - 1));
    uint x0 = (uint)fx, y0 = (uint)fy, x1 = min(x0 + 1, srcW - 1), y1 = min(y0 + 1, srcH - 1);
    float4 top = mix(convert_float4(src[y0 * srcW + x0]), convert_float4(src[y0 * srcW + x1]), fx - x0);
    float4 bottom = mix(convert_float4(src[y1 * srcW + x0]), convert_float4(src[y1 * srcW + x1]), fx - x0);
    dst[y * dstW + x] = convert_uchar4_sat(mix(top, bottom, fy - y0) + 0.5f);
}
