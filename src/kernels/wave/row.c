#include "kernels/wave/row.h"

/* Rows are prefetched from memory this many rows before their use; at its end the strip continues in the next plane. */
#define FETCH_ROWS 6
#define ROW_POINTS 40 /* what a row costs besides its points, in points */

void wave_row_plain(const struct wave_row *row, const struct wave_row_weights *weights)
{
    size_t nx = row->nx;
    if (nx < (size_t)2 * WAVE_REACH) {
        for (size_t x = 0; x < nx; x++)
            row->next[x] = wave_row_point(row, weights, x);
        return;
    }
    const float *here = row->here, *const *n = row->near, *const *f = row->far;
    row->next[0] = wave_row_point(row, weights, 0);
    row->next[1] = wave_row_point(row, weights, 1);
    const float *before = row->before;
    float *next = row->next;
    struct wave_row_weights w = *weights;
#pragma omp simd
    for (size_t x = WAVE_REACH; x < nx - WAVE_REACH; x++) {
        /* begin points */
        float near = here[x - 1] + here[x + 1] + n[0][x] + n[1][x] + n[2][x] + n[3][x];
        float far = here[x - 2] + here[x + 2] + f[0][x] + f[1][x] + f[2][x] + f[3][x];
        next[x] = w.centre * here[x] - before[x] + (w.near * near + w.far * far);
        /* end points */
    }
    row->next[nx - 2] = wave_row_point(row, weights, nx - 2);
    row->next[nx - 1] = wave_row_point(row, weights, nx - 1);
}

struct wave_row wave_step_row(const struct wave_step *step, size_t y, size_t z)
{
    size_t nx = step->nx, ny = step->ny, nz = step->nz, at = (z * ny + y) * nx;
    struct wave_row row = {
        .next = step->next + at,
        .before = step->before + at,
        .here = step->here + at,
        .nx = nx,
        .stream = step->stream,
    };
    for (int side = 0; side < 2; side++)
        for (int distance = 1; distance <= WAVE_REACH; distance++) {
            ptrdiff_t by = side ? distance : -distance;
            const float **rows = distance == 1 ? row.near : row.far;
            rows[side] = step->here + (z * ny + wave_wrap((ptrdiff_t)y + by, ny)) * nx;
            rows[2 + side] = step->here + (wave_wrap((ptrdiff_t)z + by, nz) * ny + y) * nx;
        }
    return row;
}

double wave_rows_work(const struct wave_grid *grid, size_t rows)
{
    return (double)rows * ((double)grid->nx + ROW_POINTS);
}

struct wave_step wave_step_of(const struct run *run, size_t index)
{
    struct wave_grid grid = wave_grid_of(run->problem);
    struct wave_turn turn = wave_turn(index, grid.steps);
    float *const fields[] = {
        [WAVE_FIELD_PREVIOUS] = run->buffers[WAVE_PREVIOUS].host,
        [WAVE_FIELD_CURRENT] = run->buffers[WAVE_CURRENT].host,
        [WAVE_FIELD_RESULT] = run->buffers[WAVE_RESULT].host,
        [WAVE_FIELD_SCRATCH] = run->scratch ? run->scratch->host : NULL,
    };
    return (struct wave_step){
        .before = fields[turn.before],
        .here = fields[turn.here],
        .next = fields[turn.next],
        .nx = grid.nx,
        .ny = grid.ny,
        .nz = grid.nz,
        .stream = turn.before != turn.next,
    };
}

void wave_step_rows(const struct wave_step *step, const struct wave_row_weights *weights, wave_row_function *function,
                    size_t z, size_t from, size_t to)
{
    size_t nx = step->nx, ny = step->ny, rows = to - from;
    for (size_t y = from; y < to; y++) {
        struct wave_row row = wave_step_row(step, y, z);
        size_t ahead = y - from + FETCH_ROWS, plane = z + ahead / rows, line = from + ahead % rows;
        row.soon[0] = step->here + (wave_wrap((ptrdiff_t)plane + WAVE_REACH, step->nz) * ny + line) * nx;
        row.soon[1] = step->before + (wave_wrap((ptrdiff_t)plane, step->nz) * ny + line) * nx;
        function(&row, weights);
    }
}
