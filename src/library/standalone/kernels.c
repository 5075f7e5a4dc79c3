/* The kernels that the C library has. */
#include "kernels/kernel.h"

extern const struct kernel kernel_transpose, kernel_sort, kernel_dot, kernel_matmul, kernel_resize;

const struct kernel *const kernels[] = {&kernel_transpose, &kernel_sort,   &kernel_dot,
                                        &kernel_matmul,    &kernel_resize, NULL};
