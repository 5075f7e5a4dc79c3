#include "kernels/matmul/half_choice.h"

#include <math.h>

#include "kernels/matmul/sizes.h"

/* As in wgmma.cuh. */
#define DEPTH 64
#define HELD 2       /* stages of a tile, at least */
#define ALIGNMENT 16 /* of rows, for the copy engine */

/* Microseconds, of an H200: what a product takes besides; another launch, and bytes copied each way in one, for rows
 * that do not begin at multiples of 16 bytes; a stage of the widest tile, and of any; a tile's ends: where the copy
 * engine stores results, and where it does not, the least and by its width; and bytes of results in a microsecond. */
#define LAUNCH 2.71
#define COPY 2.11
#define COPIED 3.87e6
#define WIDEST_STAGE 0.607
#define STAGE 0.062
#define END 2.12
#define END_OF_ROWS 3.26
#define END_BY_ROWS 0.92
#define STORED 1.42e6

/* Microseconds until 64 elements of a row have come: those of a row that begins anywhere cross lines of the caches.
 * Rows that begin elsewhere than at multiples of 16 bytes are copied to multiples of 128. */
static double fetching(size_t ld)
{
    return ld % 8 != 0 || ld % 32 == 0 ? 0.0003 : ld % 16 == 0 ? 0.0004 : 0.0022;
}

size_t wgmma_clusters(const struct product *p, struct wgmma_tile tile)
{
    return divide_up(p->m, tile.rows * wgmma_down(tile.cluster)) *
           divide_up(p->n, tile.columns * wgmma_across(tile.cluster));
}

/* A cluster stays within one of the GPU's processing clusters: of 4 groups an H200 has 30, not 33. */
size_t wgmma_resident(size_t units, size_t cluster)
{
    return most(1, cluster > 2 ? units * 10 / 11 / cluster : units / cluster);
}

/* All waves of such tiles. */
static double tiles_time(const struct product *p, size_t units, struct wgmma_tile tile)
{
    const bool is_whole = p->beta == 0 && p->ldc * element_info(p->result)->bytes % ALIGNMENT == 0;
    const double rows = (double)tile.rows, columns = (double)tile.columns, width = columns / 256,
                 down = (double)wgmma_down(tile.cluster), across = (double)wgmma_across(tile.cluster);
    const double end = is_whole ? END : END_OF_ROWS + END_BY_ROWS * width;
    const double fetched = rows / across * fetching(p->lda) + columns / down * fetching(p->ldb);
    const double stages = (double)most(HELD, divide_up(product_depth(p), DEPTH));
    const double waves = (double)divide_up(wgmma_clusters(p, tile), wgmma_resident(units, tile.cluster));
    const double bytes = (double)p->m * (double)p->n * (double)element_info(p->result)->bytes;
    return fmax(waves * ((STAGE + fmax(WIDEST_STAGE * width * rows / 128, fetched)) * stages + end), bytes / STORED);
}

static bool is_wished(size_t wish, size_t value)
{
    return wish == 0 || wish == value;
}

static struct wgmma_tile best_tile(const struct product *p, size_t units, struct wgmma_tile wish, double *least)
{
    struct wgmma_tile best = {0}, tile;
    *least = INFINITY;
    for (tile.rows = 128; tile.rows <= 192; tile.rows += 64)
        for (tile.columns = 64; tile.columns <= 256; tile.columns += 64)
            for (tile.cluster = 1; tile.cluster <= 4; tile.cluster *= 2) {
                const double time = tiles_time(p, units, tile);
                if (is_wished(wish.rows, tile.rows) && is_wished(wish.columns, tile.columns) &&
                    is_wished(wish.cluster, tile.cluster) && time < *least) {
                    *least = time;
                    best = tile;
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
