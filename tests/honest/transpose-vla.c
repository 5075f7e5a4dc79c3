/* C99's arrays of variable length as parameters */
void transpose(long rows, long cols, const float in[rows][cols], float out[cols][rows])
{
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < cols; j++)
            out[j][i] = in[i][j];
}
