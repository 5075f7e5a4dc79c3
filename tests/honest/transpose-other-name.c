void matrix_transpose(const float *src, float *dst, int height, int width)
{
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            dst[x * height + y] = src[y * width + x];
}
