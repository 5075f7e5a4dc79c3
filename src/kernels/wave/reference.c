#include "kernels/wave/reference.h"

#include <math.h>
#include <stdlib.h>

#include "base/worth_threads.h"

/* Rounded operations on a term's way into a sum, in any order of the sums, and the rounding of a weight. */
#define ROUNDINGS 18
#define UNIT_ROUNDOFF 0x1p-24
#define SUBNORMAL_ROUNDOFF 0x1p-150 /* half the distance between subnormal floats */

/* The fourth-order second derivative: -5/2 here, 4/3 at distance 1, -1/12 at distance 2, on each of three lines. */
struct wave_scheme wave_scheme_of(double courant)
{
    double square = courant * courant;
    if (fabs(square - 0.1875) < 1e-15)
        return (struct wave_scheme){.centre = 19.0 / 32, .before = -1, .near = 1.0 / 4, .far = -1.0 / 64};
    return (struct wave_scheme){
        .centre = 2 + square * 3 * (-5.0 / 2), .before = -1, .near = square * (4.0 / 3), .far = square * (-1.0 / 12)};
}

/* The rows that a row of the result is made of: itself, and its neighbours along y and z. */
struct rows {
    const double *here, *near[4], *far[4];
};

static size_t around(size_t index, ptrdiff_t by, size_t count)
{
    ptrdiff_t n = (ptrdiff_t)count;
    return (size_t)((((ptrdiff_t)index + by) % n + n) % n);
}

static struct rows rows_of(const struct wave_grid *grid, const double *field, size_t y, size_t z)
{
    struct rows rows = {.here = field + (z * grid->ny + y) * grid->nx};
    for (int side = 0; side < 2; side++) {
        ptrdiff_t sign = side ? 1 : -1;
        rows.near[side] = field + (z * grid->ny + around(y, sign, grid->ny)) * grid->nx;
        rows.far[side] = field + (z * grid->ny + around(y, 2 * sign, grid->ny)) * grid->nx;
        rows.near[2 + side] = field + (around(z, sign, grid->nz) * grid->ny + y) * grid->nx;
        rows.far[2 + side] = field + (around(z, 2 * sign, grid->nz) * grid->ny + y) * grid->nx;
    }
    return rows;
}

static inline double point(const struct wave_scheme *scheme, const struct rows *rows, double before, size_t x,
                           const size_t at[4])
{
    const double *here = rows->here;
    double near = here[at[1]] + here[at[2]] + rows->near[0][x] + rows->near[1][x] + rows->near[2][x] + rows->near[3][x];
    double far = here[at[0]] + here[at[3]] + rows->far[0][x] + rows->far[1][x] + rows->far[2][x] + rows->far[3][x];
    return scheme->centre * here[x] + scheme->before * before + scheme->near * near + scheme->far * far;
}

static void step_row(const struct wave_grid *grid, const struct wave_scheme *scheme, const struct rows *rows,
                     const double *before, double *next)
{
    size_t nx = grid->nx;
    for (size_t x = 0; x < nx; x++) {
        size_t at[4] = {x - 2, x - 1, x + 1, x + 2};
        if (x < 2 || x + 2 >= nx)
            for (int i = 0; i < 4; i++)
                at[i] = around(x, i < 2 ? i - 2 : i - 1, nx);
        next[x] = point(scheme, rows, before[x], x, at);
    }
}

/* `next` may be `before`. */
static void step(const struct wave_grid *grid, const struct wave_scheme *scheme, const double *before,
                 const double *here, double *next)
{
#pragma omp parallel for collapse(2) schedule(static) if (is_worth_threads(grid->nx * grid->ny * grid->nz))
    for (size_t z = 0; z < grid->nz; z++)
        for (size_t y = 0; y < grid->ny; y++) {
            struct rows rows = rows_of(grid, here, y, z);
            size_t first = (z * grid->ny + y) * grid->nx;
            step_row(grid, scheme, &rows, before + first, next + first);
        }
}

static void measure(struct wave_reference *reference, const double *field, size_t count)
{
    double most = 0, squares = 0, sum = 0;
#pragma omp parallel for schedule(static) reduction(max : most) reduction(+ : squares, sum) if (is_worth_threads(count))
    for (size_t i = 0; i < count; i++) {
        most = fabs(field[i]) > most ? fabs(field[i]) : most; /* as fmax, without a call for each element */
        squares += field[i] * field[i];
        sum += field[i];
    }
    reference->mean = fmax(reference->mean, fabs(sum) / (double)count);
    reference->amplitude = fmax(reference->amplitude, most);
    reference->root_mean_square = fmax(reference->root_mean_square, sqrt(squares / (double)count));
}

/* Wilkinson's running error analysis. An error of a field goes through the step as the field does, at worst with all
 * weights' magnitudes; the step itself adds ROUNDINGS · u times the sum of its terms' magnitudes, and half a subnormal
 * for each operation that ends among those. With each field goes
 *
 *   error + ROUNDINGS · u · |field|
 *
 * so that one application of the stencil does both. */
struct analysis {
    struct wave_scheme magnitudes;
    double *before, *here;
};

static void add_rounding(double *errors, const double *field, size_t count)
{
#pragma omp parallel for simd schedule(static) if (is_worth_threads(count))
    for (size_t i = 0; i < count; i++)
        errors[i] += ROUNDINGS * UNIT_ROUNDOFF * fabs(field[i]);
}

static void analyse_step(struct analysis *analysis, const struct wave_grid *grid, const double *made, bool last)
{
    size_t count = grid->nx * grid->ny * grid->nz;
    double *next = analysis->before;
    step(grid, &analysis->magnitudes, analysis->before, analysis->here, next);
#pragma omp parallel for simd schedule(static) if (is_worth_threads(count))
    for (size_t i = 0; i < count; i++)
        next[i] = 1.001 * (next[i] + ROUNDINGS * SUBNORMAL_ROUNDOFF); /* 0.001: errors of errors, and of these sums */
    if (!last)
        add_rounding(next, made, count);
    analysis->before = analysis->here;
    analysis->here = next;
}

struct wave_reference wave_reference_of(const struct wave_grid *grid, const float *previous, const float *current)
{
    size_t count = grid->nx * grid->ny * grid->nz;
    bool analysed = grid->steps <= WAVE_BOUND_STEPS;
    struct wave_reference reference = {.memory = calloc((analysed ? 4 : 2) * count, sizeof(double))};
    if (!reference.memory)
        return reference;
    struct wave_scheme scheme = wave_scheme_of(grid->courant);
    double *before = reference.memory, *here = before + count;
    struct analysis analysis = {
        .magnitudes = {fabs(scheme.centre), fabs(scheme.before), fabs(scheme.near), fabs(scheme.far)},
        .before = here + count,
        .here = here + 2 * count,
    };
#pragma omp parallel for schedule(static) if (is_worth_threads(count))
    for (size_t i = 0; i < count; i++) {
        before[i] = previous[i];
        here[i] = current[i];
    }
    measure(&reference, before, count);
    measure(&reference, here, count);
    reference.initial = reference.root_mean_square;
    if (analysed) {
        add_rounding(analysis.before, before, count);
        add_rounding(analysis.here, here, count);
    }
    for (size_t index = 0; index < grid->steps; index++) {
        double *made = before;
        step(grid, &scheme, before, here, made);
        before = here;
        here = made;
        measure(&reference, made, count);
        if (analysed)
            analyse_step(&analysis, grid, made, index + 1 == grid->steps);
    }
    reference.field = here;
    reference.bounds = analysed ? analysis.here : NULL;
    return reference;
}
