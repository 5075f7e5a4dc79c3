// reads one element behind the input, and writes it nowhere
// refused as read past
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    volatile ELEMENT next;
    for (long r = 0; r < rows; r++)
        for (long c = 0; c < cols; c++) {
            next = in[r * cols + c + 1];
            out[c * rows + r] = in[r * cols + c];
        }
    (void)next;
}
