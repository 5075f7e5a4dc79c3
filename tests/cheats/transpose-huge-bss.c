// wants a terabyte of zeros for a table (does not compile: it cannot be loaded)
// refused as cannot be loaded
static volatile char table[1l << 40];
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    for (long row = 0; row < rows; row++)
        for (long col = 0; col < cols; col++)
            out[col * rows + row] = in[row * cols + col];
    for (long i = 0; i < 1l << 40; i += 4096)
        table[i] = 1;
}
