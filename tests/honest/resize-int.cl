__kernel void bilinear(__global const uchar4 *src, __global uchar4 *dst, int srcWidth, int srcHeight, int dstWidth,
                       int dstHeight)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= dstWidth || y >= dstHeight)
        return;
    float gx = clamp((x + 0.5f) * srcWidth / dstWidth - 0.5f, 0.0f, srcWidth - 1.0f);
    float gy = clamp((y + 0.5f) * srcHeight / dstHeight - 0.5f, 0.0f, srcHeight - 1.0f);
    int ix = (int)floor(gx), iy = (int)floor(gy), jx = min(ix + 1, srcWidth - 1), jy = min(iy + 1, srcHeight - 1);
    float4 c =
        mix(mix(convert_float4(src[iy * srcWidth + ix]), convert_float4(src[iy * srcWidth + jx]), gx - ix),
            mix(convert_float4(src[jy * srcWidth + ix]), convert_float4(src[jy * srcWidth + jx]), gx - ix), gy - iy);
    dst[y * dstWidth + x] = convert_uchar4_sat_rte(c);
}
