/* Одномерный индекс: строка и столбец из номера элемента */
__kernel void transpose(__global const float *in, __global float *out, const unsigned long rows,
                        const unsigned long cols)
{
    size_t i = get_global_id(0);
    if (i >= rows * cols)
        return;
    size_t r = i / cols, c = i % cols;
    out[c * rows + r] = in[i];
}
