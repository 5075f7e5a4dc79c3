#include "kernels/wave/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/comparator.h"
#include "base/message.h"
#include "kernels/wave/plane_wave.h"

/* Where the bound comes from. One step computes 2 here - before + r² (space part) in at most 17 rounded operations
 * whose terms' magnitudes sum to no more than (3 + 16 r²) A, A being the largest magnitude of a field: it is off by at
 * most e = 17 u (3 + 16 r²) A in any order of the sums, u = 2^-24. An error made j steps ago has grown like the
 * scheme's solutions do: a wave that starts from (0, e) is e · sin(j omega) / sin(omega), at most j e in the mean
 * square.
 * - What differs from step to step adds up like independent errors: e · sqrt(1² + … + n²).
 * - What is the same in every step adds up 1 + … + n times, but only in the field's mean (omega = 0); others swing.
 * That is what the rounded weights lack, times A; and the mean of the points' errors, which N points make e / sqrt(N)
 * when each of them errs the same way every time.
 * - Rounded inputs add n u A for the field before and (n + 1) u A for the current one.
 * The mean square is not every point; but few errors are as large as e: after 1 to 4000 steps, on grids of one point
 * and of thousands, at most a fifteenth of this was seen. */
double wave_tolerance(const struct wave_grid *grid, double amplitude, bool rounded_input)
{
    const double u = 0x1p-24;
    double n = (double)grid->steps, points = (double)grid->nx * (double)grid->ny * (double)grid->nz;
    double single = 17 * u * (3 + 16 * grid->courant * grid->courant) * amplitude;
    struct wave_weights w = wave_weights_of(grid->courant);
    double lacking = fabs(w.centre - (double)(float)w.centre) + 6 * fabs(w.near - (double)(float)w.near) +
                     6 * fabs(w.far - (double)(float)w.far);
    double same = n * (n + 1) / 2 * (lacking * amplitude + single / sqrt(points));
    return single * sqrt(n * (n + 1) * (2 * n + 1) / 6) + same + (rounded_input ? (2 * n + 1) * u * amplitude : 0);
}

/* What was found wrong. */
struct findings {
    size_t wrong, first;
    double worst;
    size_t worst_at;
    bool incomplete; /* memory was out: nothing is proved */
};

static void add_row(struct findings *findings, const float *actual, const float *expected, size_t nx, size_t row,
                    double tolerance)
{
    struct comparison comparison;
    comparator_compare(ELEMENT_F32, actual, expected, nx, (struct tolerance){.absolute = tolerance}, &comparison);
    if (comparison.wrong > 0 && row * nx + comparison.first_wrong < findings->first)
        findings->first = row * nx + comparison.first_wrong;
    findings->wrong += comparison.wrong;
    if (comparison.worst > findings->worst) {
        findings->worst = comparison.worst;
        findings->worst_at = row * nx + comparison.worst_at;
    }
}

static void merge(struct findings *all, const struct findings *part)
{
    all->wrong += part->wrong;
    all->first = part->first < all->first ? part->first : all->first;
    all->incomplete = all->incomplete || part->incomplete;
    if (part->worst > all->worst) {
        all->worst = part->worst;
        all->worst_at = part->worst_at;
    }
}

/* Row r as it should be, rounded to float. */
struct expectation {
    struct wave_grid grid;
    const struct plane_wave *wave; /* and its turns; NULL: the field */
    const double *turns;
    const double *field;
};

static void expect_row(const struct expectation *expectation, size_t r, double *exact, float *expected)
{
    size_t nx = expectation->grid.nx, ny = expectation->grid.ny;
    const double *row = exact;
    if (expectation->wave)
        plane_wave_row(expectation->wave, expectation->turns, (double)expectation->grid.steps, r % ny, r / ny, exact);
    else
        row = expectation->field + r * nx;
#pragma omp simd
    for (size_t x = 0; x < nx; x++)
        expected[x] = (float)row[x];
}

static struct findings compare(const struct expectation *expectation, const float *actual, double tolerance)
{
    const struct wave_grid *grid = &expectation->grid;
    size_t rows = grid->ny * grid->nz, nx = grid->nx;
    struct findings findings = {.first = SIZE_MAX};
#pragma omp parallel
    {
        struct findings part = {.first = SIZE_MAX};
        double *exact = malloc(nx * sizeof *exact);
        float *expected = malloc(nx * sizeof *expected);
        part.incomplete = !exact || !expected;
#pragma omp for schedule(static)
        for (size_t r = 0; r < rows; r++)
            if (!part.incomplete) {
                expect_row(expectation, r, exact, expected);
                add_row(&part, actual + r * nx, expected, nx, r, tolerance);
            }
#pragma omp critical
        merge(&findings, &part);
        free(exact);
        free(expected);
    }
    return findings;
}

/* One step in double precision; `next` may be `before`. */
static void reference_step(const struct wave_grid *grid, const double *before, const double *here, double *next)
{
    size_t nx = grid->nx, ny = grid->ny, nz = grid->nz;
    struct wave_weights weights = wave_weights_of(grid->courant);
#pragma omp parallel for collapse(2) schedule(static)
    for (size_t z = 0; z < nz; z++)
        for (size_t y = 0; y < ny; y++)
            for (size_t x = 0; x < nx; x++) {
                double sums[2] = {0, 0};
                for (int distance = 1; distance <= WAVE_REACH; distance++)
                    for (int sign = -1; sign <= 1; sign += 2) {
                        ptrdiff_t by = (ptrdiff_t)sign * distance;
                        sums[distance - 1] += here[(z * ny + y) * nx + wave_wrap((ptrdiff_t)x + by, nx)] +
                                              here[(z * ny + wave_wrap((ptrdiff_t)y + by, ny)) * nx + x] +
                                              here[(wave_wrap((ptrdiff_t)z + by, nz) * ny + y) * nx + x];
                    }
                size_t at = (z * ny + y) * nx + x;
                next[at] = weights.centre * here[at] - before[at] + weights.near * sums[0] + weights.far * sums[1];
            }
}

/* The whole run in double precision; *amplitude becomes the largest magnitude met. The caller frees the memory; NULL
 * when there is none. */
static double *reference(const struct wave_grid *grid, const float *previous, const float *current, double *amplitude)
{
    size_t count = grid->nx * grid->ny * grid->nz;
    double *fields = malloc(2 * count * sizeof *fields);
    if (!fields)
        return NULL;
    double *before = fields, *here = fields + count, most = 0;
#pragma omp parallel for schedule(static) reduction(max : most)
    for (size_t i = 0; i < count; i++) {
        before[i] = previous[i];
        here[i] = current[i];
        most = fmax(most, fmax(fabs(before[i]), fabs(here[i])));
    }
    for (size_t step = 0; step < grid->steps; step++) {
        reference_step(grid, before, here, before);
        double *made = before;
        before = here;
        here = made;
#pragma omp parallel for schedule(static) reduction(max : most)
        for (size_t i = 0; i < count; i++)
            most = fmax(most, fabs(made[i]));
    }
    if (here != fields)
        for (size_t i = 0; i < count; i++)
            fields[i] = here[i];
    *amplitude = most;
    return fields;
}

static void report(const struct wave_grid *grid, const struct findings *findings, struct check_result *result)
{
    size_t row = findings->first / grid->nx, count = grid->nx * grid->ny * grid->nz;
    *result = (struct check_result){.passed = findings->wrong == 0 && !findings->incomplete, .worst = findings->worst};
    if (findings->worst > 0)
        snprintf(result->where, sizeof result->where, "[%zu][%zu][%zu]", findings->worst_at / grid->nx / grid->ny,
                 findings->worst_at / grid->nx % grid->ny, findings->worst_at % grid->nx);
    if (findings->incomplete)
        explain(result->reason, sizeof result->reason, "no host memory to check the result");
    else if (findings->wrong > 0)
        explain(result->reason, sizeof result->reason,
                "%zu of %zu points are wrong, the first at [%zu][%zu][%zu] (z, y, x), the worst by %.3g times what "
                "rounding allows",
                findings->wrong, count, row / grid->ny, row % grid->ny, findings->first % grid->nx, findings->worst);
}

void wave_check(const struct problem *problem, const struct array *arrays, struct host_arrays input,
                struct host_arrays output, struct check_result *result)
{
    (void)arrays;
    struct expectation expectation = {.grid = wave_grid_of(problem)};
    struct findings findings = {.incomplete = true};
    struct plane_wave wave = plane_wave_of(problem);
    double *turns = NULL, *field = NULL, amplitude = 1;
    bool plane = problem_size(problem, "input") == WAVE_INPUT_PLANE;
    if (plane)
        turns = plane_wave_turns(&wave);
    else
        field = reference(&expectation.grid, input.data[WAVE_PREVIOUS], input.data[WAVE_CURRENT], &amplitude);
    if (turns || field) {
        expectation.wave = plane ? &wave : NULL;
        expectation.turns = turns;
        expectation.field = field;
        findings = compare(&expectation, output.data[WAVE_RESULT], wave_tolerance(&expectation.grid, amplitude, plane));
    }
    report(&expectation.grid, &findings, result);
    free(turns);
    free(field);
}
