// three items of a group write each element, and the middle one is wrong: right from the first to the last and back
__kernel void transpose(__global const float *in, __global float *out, int rows, int cols)
{
    int c = get_global_id(0), r = get_global_id(1), i = get_local_id(0), last = get_local_size(0) - 1;
    for (int beside = -1; beside < 2; beside++) {
        int at = c + beside;
        if (i + beside >= 0 && i + beside <= last && at < cols && r < rows)
            out[at * rows + r] = in[r * cols + at] + (beside == 0 && i > 0 && i < last ? 1 : 0);
    }
}
