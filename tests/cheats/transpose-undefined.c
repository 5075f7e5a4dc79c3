// needs a function that nobody has (does not compile: it cannot be loaded)
// refused as nor the C library defines
extern void somebody_elses(void);
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    somebody_elses();
    for (long row = 0; row < rows; row++)
        for (long col = 0; col < cols; col++)
            out[col * rows + row] = in[row * cols + col];
}
