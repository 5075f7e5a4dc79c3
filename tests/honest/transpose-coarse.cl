// An item moves a row of four elements; the first that it is given is any.
__kernel void transpose4(__global const float *restrict in, __global float *restrict out, const int rows,
                         const int cols)
{
    for (long at = get_global_id(0); at < (long)rows * cols; at += get_global_size(0)) {
        long row = at / cols, col = at % cols;
        out[col * rows + row] = in[at];
    }
}
