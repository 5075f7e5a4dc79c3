/* A program with its own test in main, under a macro and a static counter for nothing */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#define min(a, b) ((a) < (b) ? (a) : (b))
#ifndef BLOCK
#define BLOCK 16
#endif
void transpose(const float *in, float *out, long rows, long cols)
{
    assert(in != out || rows * cols == 0);
    for (long i = 0; i < rows; i += BLOCK)
        for (long j = 0; j < cols; j += BLOCK)
            for (long b = i; b < min(i + BLOCK, rows); b++)
                for (long k = j; k < min(j + BLOCK, cols); k++)
                    out[k * rows + b] = in[b * cols + k];
}
int main(void)
{
    float a[6] = {1, 2, 3, 4, 5, 6}, b[6];
    transpose(a, b, 2, 3);
    for (int i = 0; i < 6; i++)
        printf("%g ", b[i]);
    puts("");
}
