/* Estimates of the rungs for elements of 16 bits, in microseconds, on a GPU of so many multiprocessors: for the choice
 * between them (shape_choice.c). The constants are an H200's. */
#pragma once

#include "kernels/matmul/matmul.h"

/* A tile of wgmma-persistent, and how many groups of neighbouring rows share its columns; 0: any. */
struct wgmma_tile {
    size_t columns, cluster;
};

/* The one with the least time of all waves, of those that are wished. */
struct wgmma_tile wgmma_tile_of(const struct product *product, size_t units, struct wgmma_tile wish);

double wgmma_persistent_estimate(const struct product *product, unsigned units);
double mma_spans_estimate(const struct product *product, unsigned units);
double mma_shallow_estimate(const struct product *product);
