/* one text for many types by macros; the wanted one at the end */
#include <stddef.h>
#define DEFINE_TRANSPOSE(T, name)                                              \
    void name(const T *restrict in, T *restrict out, size_t rows, size_t cols) \
    {                                                                          \
        for (size_t i = 0; i < rows; i++)                                      \
            for (size_t j = 0; j < cols; j++)                                  \
                out[j * rows + i] = in[i * cols + j];                          \
    }
DEFINE_TRANSPOSE(double, transpose_f64)
DEFINE_TRANSPOSE(float, transpose)
