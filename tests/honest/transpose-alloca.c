#include <alloca.h>
#include <string.h>
void transpose(const float *in, float *out, long rows, long cols)
{
    if (rows > 60000 || cols == 0) {
        for (long i = 0; i < rows * cols; i++)
            out[i % cols * rows + i / cols] = in[i];
        return;
    }
    float *column = alloca(rows * sizeof *column + 1);
    for (long j = 0; j < cols; j++) {
        for (long i = 0; i < rows; i++)
            column[i] = in[i * cols + j];
        memcpy(out + j * rows, column, rows * sizeof *column);
    }
}
