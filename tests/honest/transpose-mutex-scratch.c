#include <stdlib.h>
#include <string.h>
static _Thread_local float *scratch;
static _Thread_local size_t have;
void transpose(const float *in, float *out, long rows, long cols)
{
    size_t want = (size_t)rows * cols;
    if (want > have) {
        free(scratch);
        scratch = malloc(want * sizeof *scratch);
        have = scratch ? want : 0;
        if (want && !scratch)
            abort();
    }
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < cols; j++)
            scratch[j * rows + i] = in[i * cols + j];
    if (want)
        memcpy(out, scratch, want * sizeof *out);
}
