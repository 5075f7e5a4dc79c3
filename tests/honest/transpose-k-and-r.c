/* K&R definitions, as gnu17 still takes them */
void transpose(in, out, rows, cols) const float *in;
float *out;
long rows, cols;
{
    long i, j;
    for (i = 0; i < rows; i++)
        for (j = 0; j < cols; j++)
            out[j * rows + i] = in[i * cols + j];
}
