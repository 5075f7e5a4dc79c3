// Sizes are int, as many have it.
void transpose(const float *in, float *out, int rows, int cols)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            out[(long)j * rows + i] = in[(long)i * cols + j];
}
