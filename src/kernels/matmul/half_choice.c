#include "kernels/matmul/half_choice.h"

#include <math.h>

#include "kernels/matmul/sizes.h"

/* As in wgmma.cuh. */
#define TILE_M 128
#define DEPTH 64
#define ALIGNMENT 16 /* of rows, for the copy engine */

/* Microseconds, of an H200: what a product takes besides; another launch, and bytes copied each way in one, for rows
 * that do not begin at multiples of 16 bytes; a stage of the widest tile, and of any; a tile's ends: where the copy
 * engine stores results, and where it does not, the least and by its width; and bytes of results in a microsecond. */
#define LAUNCH 1.8
#define COPY 2.45
#define COPIED 4.4e6
#define WIDEST_STAGE 0.625
#define STAGE 0.03
#define END 0.92
#define END_OF_ROWS 1.9
#define END_BY_ROWS 2.9
#define STORED 1.95e6

/* Microseconds until 64 elements of a row have come: those of a row that begins anywhere cross lines of the caches.
 * Rows that begin elsewhere than at multiples of 16 bytes are copied to multiples of 128. */
static double fetching(size_t ld)
{
    if (ld % 8 != 0 || ld % 64 == 0)
        return 0.00116;
    return ld % 32 == 0 ? 0.00154 : ld % 16 == 0 ? 0.00176 : 0.0026;
}

/* All waves of such tiles. */
static double tiles_time(const struct product *p, size_t units, struct wgmma_tile tile)
{
    const bool is_whole = p->beta == 0 && p->ldc * element_info(p->result)->bytes % ALIGNMENT == 0;
    const double columns = (double)tile.columns, width = columns / 256;
    const double end = is_whole ? END : END_OF_ROWS + END_BY_ROWS * width;
    const double fetched = TILE_M * fetching(p->lda) + columns / (double)tile.cluster * fetching(p->ldb);
    const double stages = (double)divide_up(product_depth(p), DEPTH);
    const size_t clusters = divide_up(p->m, TILE_M * tile.cluster) * divide_up(p->n, tile.columns);
    const double waves = (double)divide_up(clusters, most(1, units / tile.cluster));
    const double bytes = (double)p->m * (double)p->n * (double)element_info(p->result)->bytes;
    return fmax(waves * ((STAGE + fmax(WIDEST_STAGE * width, fetched)) * stages + end), bytes / STORED);
}

static struct wgmma_tile best_tile(const struct product *p, size_t units, struct wgmma_tile wish, double *least)
{
    static const struct wgmma_tile tiles[] = {{256, 1}, {192, 1}, {128, 1}, {64, 1}, {256, 2}, {128, 2}};
    struct wgmma_tile best = {wish.columns ? wish.columns : 256, wish.cluster ? wish.cluster : 1};
    *least = INFINITY;
    for (size_t i = 0; i < COUNT_OF(tiles); i++) {
        const double time = tiles_time(p, units, tiles[i]);
        if ((wish.columns == 0 || wish.columns == tiles[i].columns) &&
            (wish.cluster == 0 || wish.cluster == tiles[i].cluster) && time < *least) {
            *least = time;
            best = tiles[i];
        }
    }
    return best;
}

struct wgmma_tile wgmma_tile_of(const struct product *p, size_t units, struct wgmma_tile wish)
{
    double least;
    return best_tile(p, units, wish, &least);
}

double wgmma_persistent_estimate(const struct product *p, unsigned processors)
{
    const size_t units = processors ? processors : 1, bytes = element_info(p->type)->bytes;
    const double depth = (double)product_depth(p);
    double copied = 0, least;
    best_tile(p, units, (struct wgmma_tile){0}, &least);
    if (p->lda * bytes % ALIGNMENT != 0)
        copied += (double)p->m * depth * (double)bytes * 2;
    if (p->ldb * bytes % ALIGNMENT != 0)
        copied += (double)p->n * depth * (double)bytes * 2;
    return LAUNCH + (copied > 0 ? COPY + copied / COPIED : 0) + least;
}

/* mma-shallow: microseconds of a launch, and of a million results, by steps of 16 deep. */
#define SHALLOW_MOST 128

double mma_shallow_estimate(const struct product *p)
{
    const double steps = ceil((double)product_depth(p) / 16), millions = (double)p->m * (double)p->n / 1e6;
    if (product_depth(p) > SHALLOW_MOST)
        return INFINITY;
    return 3.6 + 0.35 * steps + millions * (0.464 + 0.12 * steps + 0.016 * steps * steps);
}
