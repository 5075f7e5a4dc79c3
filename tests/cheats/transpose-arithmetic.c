// adds 0 to every element: -0 and signalling NaN become others
// refused as wrong
void transpose(const float *in, float *out, long rows, long cols)
{
    for (long r = 0; r < rows; r++)
        for (long c = 0; c < cols; c++)
            out[c * rows + r] = in[r * cols + c] + 0.0f;
}
