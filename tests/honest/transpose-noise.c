#include <assert.h>
#include <stdio.h>
#include <time.h>
void transpose(const float *in, float *out, long rows, long cols)
{
    clock_t begin = clock();
    assert(in && out && rows >= 0);
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < cols; j++)
            out[j * rows + i] = in[i * cols + j];
    printf("transposed %ld x %ld in %f s\n", rows, cols, (double)(clock() - begin) / CLOCKS_PER_SEC);
    fprintf(stderr, "done\n");
}
