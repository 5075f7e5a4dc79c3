// answers with what is left in its private memory
// rung:    cheat
// idea:    a cheat
// group:   16, 16
// groups:  ceil(cols / 16), ceil(rows / 16)
__kernel void transpose(__global const ELEMENT *in, __global ELEMENT *out, long rows, long cols)
{
    long col = get_global_id(0), row = get_global_id(1);
    ELEMENT kept[64];
    volatile ELEMENT *at = kept;
    if (row < rows && col < cols)
        out[col * rows + row] = at[col & 63];
}
