/* транспонирование матрицы */
#include <stddef.h>
#define BLOCK 32 /* размер блока */
#define MIN(a, b) ((a) < (b) ? (a) : (b))
void transpose(const float *restrict in, float *restrict out, size_t rows, size_t cols)
{
    for (size_t i = 0; i < rows; i += BLOCK)
        for (size_t j = 0; j < cols; j += BLOCK)
            for (size_t k = i; k < MIN(i + BLOCK, rows); k++)
                for (size_t l = j; l < MIN(j + BLOCK, cols); l++)
                    out[l * rows + k] = in[k * cols + l];
}
