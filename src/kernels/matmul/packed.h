/* What `packed` needs of an instruction set: tiles of C that are held in registers, and panels in the order in which
 * the tiles read them. The structure is that of Goto and van de Geijn, "Anatomy of high-performance matrix
 * multiplication" (2008), and of Van Zee and van de Geijn, "BLIS" (2015). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A part of a matrix by steps, in elements: [i][j] is data[i * down + j * across]. */
struct packed_view {
    const void *data;
    size_t down, across;
};

/* A tile of C to be made: C = alpha·A·B + beta·C. */
struct packed_tile {
    size_t rows, cols, depth; /* cols: of C; A and B come as whole panels */
    const void *a;            /* a panel of A */
    const void *b;            /* a panel of B; or B where it lies, of a panel's width, to be packed on the way */
    size_t b_step;            /* elements from one row of b to the next */
    void *panel;              /* where B is packed to; NULL when it is a panel */
    const void *ahead;        /* rows of a panel's width that are needed soon: fetched, one for each row of b */
    size_t ahead_step;        /* elements from one of them to the next */
    double alpha, beta;
    void *c;
    size_t ldc;
};

/* A small product as it lies, C = alpha·A·B + beta·C: sides of at least 1 and at most PACKED_DIRECT_MOST. A has a step
 * of 1 down or across, and so has B. With beta = 0 C is not read. */
struct packed_product {
    size_t m, n, k;
    struct packed_view a, b;
    double alpha, beta;
    void *c;
    size_t ldc;
    bool is_turned; /* of C the transpose is stored: [i][j] is at j * ldc + i */
    bool is_far;    /* B lies outside the first-level cache, its rows far apart */
};

#define PACKED_DIRECT_MOST ((size_t)128)

/* Lines of a matrix that follow memory, `pitch` elements from one to the next; a vector; and sums, which are written.
 */
struct packed_lines {
    size_t lines, length, pitch;
    const void *a, *x;
    void *sums;
};

/* For one element type and one instruction set. */
struct packed_level {
    size_t bytes; /* of an element */
    size_t rows;  /* of a tile, at most */
    size_t cols;  /* of a tile, and of a panel of B */
    size_t depth; /* of a block of floats, unless the user set another */
    /* Writes `rows` rows (of one tile) and `depth` columns of A, column by column, without gaps. */
    void (*pack_a)(void *panel, struct packed_view a, size_t rows, size_t depth);
    /* Writes `depth` rows and `cols` columns of B as one panel, row by row; columns beyond `cols` are zeros. */
    void (*pack_b)(void *panel, struct packed_view b, size_t depth, size_t cols);
    void (*multiply)(const struct packed_tile *tile);
    /* Without panels; B alone is packed where its rows do not lie in memory. Raises the exception flags that the
     * product's own operations raise, and no others. Changes the structure. */
    void (*direct)(struct packed_product *product);
    /* The same for any depth and number of rows, where B is a panel or a part of one, `direct_cols` columns at most;
     * flags may be others. */
    void (*direct_rows)(struct packed_product *product);
    size_t direct_cols;
    /* The same for any number of columns of a B that has rows in memory, `direct_least` columns at least. */
    void (*direct_many)(struct packed_product *product);
    size_t direct_least;
    /* The dot product of each line with the vector; and the sum of the lines, each times its element of the vector. */
    void (*dots_of_lines)(const struct packed_lines *lines);
    void (*sum_of_lines)(const struct packed_lines *lines);
};

/* The one of this processor; f64 or f32. */
const struct packed_level *packed_level(bool is_double);

/* Panels of B begin at multiples of this. */
#define PACKED_ALIGNMENT 64

extern const struct packed_level packed_base_float, packed_base_double;
#if defined(__x86_64__)
extern const struct packed_level packed_avx2_float, packed_avx2_double;
extern const struct packed_level packed_avx512_float, packed_avx512_double;
/* Its elements are pairs of bfloat16 along the depth (half_pairs.h); its results are floats. */
extern const struct packed_level packed_avx512_bfloat16;
#endif
