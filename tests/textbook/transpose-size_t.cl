__kernel void transpose(__global const float *restrict input, __global float *restrict output, ulong height,
                        ulong width)
{
    size_t x = get_global_id(0), y = get_global_id(1);
    if (x < width && y < height)
        output[x * height + y] = input[y * width + x];
}
