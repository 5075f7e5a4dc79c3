#include "kernels/matmul/half_choice.h"

#include <math.h>

#include "kernels/matmul/sizes.h"

/* As in wgmma.cuh. */
#define TILE_M 128
#define DEPTH 64
#define ALIGNMENT 16 /* of rows, for the copy engine */

/* A tile's rate as a share of the widest one's: narrow tiles read shared memory more often for a product. */
static double rate_of(size_t tile_n)
{
    return tile_n == 256 ? 1 : tile_n == 128 ? 0.85 : 0.62;
}

/* Microseconds, of an H200: what a product takes besides; another launch, and bytes copied each way in one, for rows
 * that do not begin at multiples of 16 bytes; a stage of the widest tile; and a tile's ends: the least, and by its
 * width, where the copy engine stores results and where it does not. */
#define LAUNCH 2.6
#define COPY 1.8
#define COPIED 3.7e6
#define WIDEST_STAGE 0.69
#define END 1.5
#define END_OF_ROWS 1.4
#define END_BY_ROWS 4.2

/* All waves of tiles of this width. */
static double tiles_time(const struct product *p, size_t units, size_t tile_n)
{
    const bool is_whole = p->beta == 0 && p->ldc * element_info(p->result)->bytes % ALIGNMENT == 0;
    const double width = (double)tile_n / 256, end = is_whole ? END : END_OF_ROWS + END_BY_ROWS * width;
    const double stages = (double)divide_up(product_depth(p), DEPTH);
    const size_t tiles = divide_up(p->m, TILE_M) * divide_up(p->n, tile_n);
    return (double)divide_up(tiles, units) * (WIDEST_STAGE * width / rate_of(tile_n) * stages + end);
}

size_t wgmma_width(const struct product *p, size_t units)
{
    size_t best = 256;
    for (size_t tile_n = 128; tile_n >= 64; tile_n /= 2)
        if (tiles_time(p, units, tile_n) < tiles_time(p, units, best))
            best = tile_n;
    return best;
}

double wgmma_persistent_estimate(const struct product *p, unsigned processors)
{
    const size_t units = processors ? processors : 1, bytes = element_info(p->type)->bytes;
    const double depth = (double)product_depth(p);
    double copied = 0;
    if (p->lda * bytes % ALIGNMENT != 0)
        copied += (double)p->m * depth * (double)bytes * 2;
    if (p->ldb * bytes % ALIGNMENT != 0)
        copied += (double)p->n * depth * (double)bytes * 2;
    return LAUNCH + (copied > 0 ? COPY + copied / COPIED : 0) + tiles_time(p, units, wgmma_width(p, units));
}
