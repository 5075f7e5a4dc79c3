/* The accuracy of float products (accuracy.c), and what is compared there beside the ladder. */
#pragma once

#include "kernels/accuracy.h"

extern const struct accuracy_view matmul_accuracy;

/* cuBLAS with fewer bits than a float has (cublas_narrow.c). */
extern const struct rung matmul_cublas_tf32, matmul_cublas_float16, matmul_cublas_bfloat16;
