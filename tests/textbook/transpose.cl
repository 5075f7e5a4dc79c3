// A transpose as textbooks on OpenCL have it.
__kernel void matrix_transpose(__global float *output, __global const float *input, int width, int height)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x < width && y < height)
        output[x * height + y] = input[y * width + x];
}
