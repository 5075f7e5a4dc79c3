/* Estimates of the rungs for elements of 16 bits, in microseconds, on a GPU of so many multiprocessors: for the choice
 * between them (shape_choice.c). The constants are an H200's. */
#pragma once

#include "kernels/matmul/matmul.h"

/* The columns of a tile of wgmma-persistent with the least time of all waves. */
size_t wgmma_width(const struct product *product, size_t units);

double wgmma_persistent_estimate(const struct product *product, unsigned units);
double mma_spans_estimate(const struct product *product, unsigned units);
