/* Estimates of the rungs for elements of 16 bits, in microseconds, on a GPU of so many multiprocessors: for the choice
 * between them (shape_choice.c). The constants are an H200's. */
#pragma once

#include "kernels/matmul/matmul.h"

/* A tile of wgmma-persistent, and how many groups share its rows and columns; 0: any. */
struct wgmma_tile {
    size_t rows, columns, cluster;
};

/* Groups of a cluster with neighbouring rows of tiles, and with neighbouring columns. */
static inline size_t wgmma_down(size_t cluster)
{
    return cluster > 1 ? 2 : 1;
}

static inline size_t wgmma_across(size_t cluster)
{
    return cluster / wgmma_down(cluster);
}

/* Clusters of a product's tiles, and those that are resident on so many multiprocessors. */
size_t wgmma_clusters(const struct product *product, struct wgmma_tile tile);
size_t wgmma_resident(size_t units, size_t cluster);

/* The one with the least time of all waves, of those that are wished. */
struct wgmma_tile wgmma_tile_of(const struct product *product, size_t units, struct wgmma_tile wish);

double wgmma_persistent_estimate(const struct product *p, unsigned processors);
double mma_spans_estimate(const struct product *product, unsigned units);
double mma_shallow_estimate(const struct product *product);
