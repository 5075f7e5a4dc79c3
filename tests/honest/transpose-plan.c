/* Keeps a plan between calls, as FFT libraries do: the order of tiles, there and back, which the sizes alone decide. */
#include <stdlib.h>
#define TILE 32

struct tile {
    long row, col;
};

static struct tile *plan;
static long planned_rows, planned_cols, tiles;

static void make_plan(long rows, long cols)
{
    const long down = (rows + TILE - 1) / TILE, across = (cols + TILE - 1) / TILE;
    free(plan);
    plan = malloc((size_t)(down * across + 1) * sizeof *plan);
    tiles = 0;
    for (long row = 0; plan && row < down; row++)
        for (long col = 0; col < across; col++)
            plan[tiles++] = (struct tile){row * TILE, (row % 2 ? across - 1 - col : col) * TILE};
    planned_rows = rows;
    planned_cols = cols;
}

void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    if (!plan || rows != planned_rows || cols != planned_cols)
        make_plan(rows, cols);
#pragma omp parallel for schedule(dynamic, 4)
    for (long t = 0; t < tiles; t++)
        for (long r = plan[t].row; r < rows && r < plan[t].row + TILE; r++)
            for (long c = plan[t].col; c < cols && c < plan[t].col + TILE; c++)
                out[c * rows + r] = in[r * cols + c];
}
