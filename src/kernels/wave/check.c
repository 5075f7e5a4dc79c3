#include "kernels/wave/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/message.h"
#include "base/worth_threads.h"
#include "kernels/wave/checkered.h"
#include "kernels/wave/inputs.h"
#include "kernels/wave/plane_wave.h"
#include "kernels/wave/reference.h"

/* How far rounding may take a long run from the exact one. */

struct wave_magnitudes {
    double amplitude;        /* no field's magnitude exceeds it */
    double root_mean_square; /* nor does a field's root mean square */
    double initial;          /* the larger of the inputs' root mean squares */
    double mean;             /* no field's mean exceeds it: the one part of a field that grows with every step */
    bool is_homogeneous;     /* points differ in magnitude by chance only, not by many powers of two */
    double plane_frequency;  /* of a plane wave, radians per step; NAN: the fields hold all frequencies alike */
};

struct wave_tolerance {
    double point;            /* what any point may be off */
    double root_mean_square; /* what all of them may be off in the root mean square */
};

#define UNIT_ROUNDOFF 0x1p-24
#define SUBNORMAL_ROUNDOFF 0x1p-150
#define ROUNDINGS 17
#define POINT_FACTOR 8
#define FEW_POINTS 4096 /* below this chance is not yet evened out */
#define FREQUENCIES 64  /* along a side; more are sampled */

/* How errors grow in `steps` steps: Σ g² of those that differ; the sums above, squared, of those that are the same, on
 * a plane wave and on random fields. */
struct growth {
    double differing, same_plane, same_random;
};

static struct growth growth_at(double frequency, double steps)
{
    double sine = fabs(sin(frequency)), plane = steps * (steps + 1) / 2, random = pow(steps, 3) / 6;
    struct growth growth = {steps * (steps + 1) * (2 * steps + 1) / 6, plane * plane, 2 * random * random};
    if (steps * sine < 1e-2)
        return growth;
    double differing = steps / 2 - sin(steps * frequency) * cos((steps + 1) * frequency) / (2 * sin(frequency));
    growth.differing = fmin(growth.differing, differing / (sine * sine));
    growth.same_plane = fmin(growth.same_plane, pow(steps / sine, 2));
    growth.same_random = fmin(growth.same_random, 2 * pow(steps / (sine * sine), 2));
    return growth;
}

/* -(5/2 - 8/3 cos k + 1/6 cos 2k) of frequency `index` of `count`, and how many frequencies are alike. */
static double line(size_t index, size_t count, double *alike)
{
    double k = 2 * acos(-1) * (double)index / (double)count;
    *alike = index == 0 || 2 * index == count ? 1 : 2;
    return 2.5 - 8.0 / 3 * cos(k) + cos(2 * k) / 6;
}

static size_t sampled(size_t side)
{
    return side < FREQUENCIES ? side : FREQUENCIES;
}

/* The mean over the grid's frequencies. */
static struct growth mean_growth(const struct wave_grid *grid)
{
    size_t x = sampled(grid->nx), y = sampled(grid->ny), z = sampled(grid->nz);
    double half_square = grid->courant * grid->courant / 2, differing = 0, same = 0;
#pragma omp parallel for schedule(static) reduction(+ : differing, same)
    for (size_t k = 0; k <= z / 2; k++)
        for (size_t j = 0; j <= y / 2; j++)
            for (size_t i = 0; i <= x / 2; i++) {
                double alike[3];
                double sum = line(i, x, &alike[0]) + line(j, y, &alike[1]) + line(k, z, &alike[2]);
                double frequency = acos(fmax(1 - half_square * sum, -1));
                struct growth growth = growth_at(frequency, (double)grid->steps);
                differing += alike[0] * alike[1] * alike[2] * growth.differing;
                same += i + j + k == 0 ? 0 : alike[0] * alike[1] * alike[2] * growth.same_random;
            }
    double count = (double)x * (double)y * (double)z;
    return (struct growth){.differing = differing / count, .same_random = same / count};
}

/* The difference between the float weights and the exact ones, over all 13 points. */
static double lacking(double courant)
{
    double square = courant * courant, centre = 2 - 7.5 * square, near = 4 * square / 3, far = -square / 12;
    return fabs(centre - (double)(float)centre) + 6 * fabs(near - (double)(float)near) +
           6 * fabs(far - (double)(float)far);
}

/* After grid->steps steps in float; derived below. `rounded_input`: the inputs are themselves rounded from what
 * the expected values start with. */
static struct wave_tolerance wave_tolerance_of(const struct wave_grid *grid, const struct wave_magnitudes *magnitudes,
                                               bool rounded_input)
{
    const double u = UNIT_ROUNDOFF, n = (double)grid->steps;
    double points = (double)grid->nx * (double)grid->ny * (double)grid->nz;
    double terms = 3 + 16 * grid->courant * grid->courant, weights = lacking(grid->courant);
    double roundings = points < FEW_POINTS ? ROUNDINGS : sqrt(ROUNDINGS);
    struct growth growth = mean_growth(grid);

    double single = roundings * (u * terms * magnitudes->root_mean_square + SUBNORMAL_ROUNDOFF);
    double inputs = rounded_input ? sqrt(2) * u * magnitudes->amplitude : 0;
    double same_weights = isnan(magnitudes->plane_frequency)
                              ? sqrt(growth.same_random) * magnitudes->initial + n * (n + 1) / 2 * magnitudes->mean
                              : sqrt(growth_at(magnitudes->plane_frequency, n).same_plane);
    double root_mean_square = sqrt(growth.differing) * hypot(single, inputs) + weights * same_weights;

    double worst = ROUNDINGS * (u * terms * magnitudes->amplitude + SUBNORMAL_ROUNDOFF);
    double same = n * (n + 1) / 2 * (weights * magnitudes->amplitude + worst / sqrt(points));
    double point = worst * sqrt(n * (n + 1) * (2 * n + 1) / 6) + same +
                   (rounded_input ? (2 * n + 1) * u * magnitudes->amplitude : 0);
    if (magnitudes->is_homogeneous)
        point = fmin(point, POINT_FACTOR * root_mean_square);
    return (struct wave_tolerance){.point = point, .root_mean_square = root_mean_square};
}

/* A field of independent points has none beyond this multiple of its root mean square (of 2^31 normal ones: six). A
 * pulse in a quiet field has: errors gather where it is, and the root mean square over the whole grid does not bound
 * them. */
#define CHANCE_AMPLITUDE 8

/* The wrong points found. */
struct findings {
    size_t wrong, first;
    double expected, actual; /* at `first` */
    double worst;            /* error over what is allowed; the error itself where none is */
    size_t worst_at;
    double squares;  /* Σ error² */
    bool incomplete; /* memory was out: nothing is proved */
};

/* The expected value of a point, and its allowed error. */
struct expectation {
    struct wave_grid grid;
    const struct checkered_field *checkered;
    const struct plane_wave *wave; /* and its turns; where neither is there: the field */
    const double *turns;
    const double *field;
    const double *bounds; /* of each point; NULL: tolerance.point is everybody's */
    struct wave_tolerance tolerance;
};

static double share_of(double error, double allowed)
{
    if (error == 0)
        return 0;
    double share = allowed > 0 ? error / allowed : error;
    return isnan(share) ? INFINITY : share;
}

static void add_point(struct findings *findings, double actual, double expected, double allowed, size_t at)
{
    const double error = fabs(actual - expected);
    double share = share_of(error, allowed);
    findings->squares += error * error;
    if (!(error <= allowed)) {
        if (at < findings->first) {
            findings->first = at;
            findings->expected = expected;
            findings->actual = actual;
        }
        findings->wrong++;
    }
    if (share > findings->worst) {
        findings->worst = share;
        findings->worst_at = at;
    }
}

static void add_row(struct findings *findings, const struct expectation *expectation, size_t row, const float *actual,
                    const double *exact)
{
    size_t nx = expectation->grid.nx, first = row * nx;
    const double *bounds = expectation->bounds ? expectation->bounds + first : NULL;
    for (size_t x = 0; x < nx; x++)
        add_point(findings, actual[x], exact[x], bounds ? bounds[x] : expectation->tolerance.point, first + x);
}

static void merge(struct findings *all, const struct findings *part)
{
    all->wrong += part->wrong;
    if (part->first < all->first) {
        all->first = part->first;
        all->expected = part->expected;
        all->actual = part->actual;
    }
    all->squares += part->squares;
    all->incomplete = all->incomplete || part->incomplete;
    if (part->worst > all->worst) {
        all->worst = part->worst;
        all->worst_at = part->worst_at;
    }
}

/* Row r as it should be; `room` is for a row that has to be made. */
static const double *expect_row(const struct expectation *expectation, size_t r, double *room)
{
    size_t nx = expectation->grid.nx, ny = expectation->grid.ny;
    if (!expectation->wave && !expectation->checkered)
        return expectation->field + r * nx;
    if (expectation->checkered)
        checkered_row(expectation->checkered, nx, r % ny, r / ny, room);
    else
        plane_wave_row(expectation->wave, expectation->turns, (double)expectation->grid.steps, r % ny, r / ny, room);
    return room;
}

static struct findings compare(const struct expectation *expectation, const float *actual)
{
    const struct wave_grid *grid = &expectation->grid;
    size_t rows = grid->ny * grid->nz, nx = grid->nx;
    struct findings findings = {.first = SIZE_MAX};
#pragma omp parallel if (is_worth_threads(rows * nx))
    {
        struct findings part = {.first = SIZE_MAX};
        double *room = malloc(nx * sizeof *room);
        part.incomplete = !room;
#pragma omp for schedule(static)
        for (size_t r = 0; r < rows; r++)
            if (!part.incomplete)
                add_row(&part, expectation, r, actual + r * nx, expect_row(expectation, r, room));
#pragma omp critical
        merge(&findings, &part);
        free(room);
    }
    return findings;
}

static void report_points(const struct expectation *expectation, const struct findings *findings,
                          struct check_result *result)
{
    const struct wave_grid *grid = &expectation->grid;
    size_t row = findings->first / grid->nx, count = grid->nx * grid->ny * grid->nz;
    size_t z = row / grid->ny, y = row % grid->ny, x = findings->first % grid->nx;
    if (expectation->bounds || expectation->tolerance.point > 0)
        explain(
            result->reason, sizeof result->reason,
            "%zu of %zu points are wrong, the first at [%zu][%zu][%zu] (z, y, x): expected %.9g, got %.9g; the worst "
            "by %.3g times what rounding allows",
            findings->wrong, count, z, y, x, findings->expected, findings->actual, findings->worst);
    else
        explain(
            result->reason, sizeof result->reason,
            "%zu of %zu points are wrong, the first at [%zu][%zu][%zu] (z, y, x): expected %.9g, got %.9g; the worst "
            "by %.3g, where nothing is rounded",
            findings->wrong, count, z, y, x, findings->expected, findings->actual, findings->worst);
}

static void report(const struct expectation *expectation, const struct findings *findings, struct check_result *result)
{
    const struct wave_grid *grid = &expectation->grid;
    double points = (double)grid->nx * (double)grid->ny * (double)grid->nz;
    double together = share_of(sqrt(findings->squares / points), expectation->tolerance.root_mean_square);
    bool together_wrong =
        !expectation->bounds && !(together <= 1) && findings->wrong == 0 && expectation->tolerance.root_mean_square > 0;
    *result = (struct check_result){.passed = findings->wrong == 0 && !together_wrong,
                                    .worst = together_wrong ? together : findings->worst};
    if (findings->worst > 0)
        snprintf(result->where, sizeof result->where, "[%zu][%zu][%zu]", findings->worst_at / grid->nx / grid->ny,
                 findings->worst_at / grid->nx % grid->ny, findings->worst_at % grid->nx);
    if (findings->incomplete)
        check_unfinished(result);
    else if (findings->wrong > 0)
        report_points(expectation, findings, result);
    else if (together_wrong)
        explain(result->reason, sizeof result->reason,
                "all points together are off by %.3g in the root mean square, %.3g times what rounding allows",
                together * expectation->tolerance.root_mean_square, together);
}

/* Against the plane wave; its values are rounded when they are written as inputs. */
static struct findings compare_plane(const struct problem *problem, struct expectation *expectation,
                                     const float *actual)
{
    struct plane_wave wave = plane_wave_of(problem);
    const struct wave_magnitudes magnitudes = {
        .amplitude = 1, .root_mean_square = 1, .is_homogeneous = true, .plane_frequency = wave.omega};
    double *turns = plane_wave_turns(&wave);
    struct findings findings = {.incomplete = true};
    if (turns) {
        expectation->wave = &wave;
        expectation->turns = turns;
        expectation->tolerance = wave_tolerance_of(&expectation->grid, &magnitudes, true);
        findings = compare(expectation, actual);
    }
    expectation->wave = NULL;
    free(turns);
    return findings;
}

/* Without a tolerance, and without a reference of as many points. */
static struct findings compare_checkered(const struct problem *problem, struct expectation *expectation,
                                         const float *actual)
{
    struct checkered_field field = checkered_result(problem);
    expectation->checkered = &field;
    struct findings findings = compare(expectation, actual);
    expectation->checkered = NULL;
    return findings;
}

/* Points of one parity, or of one value, are rounded alike: there are as many independent errors as parities, and
 * chance evens out none. What all points are off together is no other measure than what each is. */
static struct wave_tolerance checkered_tolerance(const struct wave_grid *grid, const struct wave_magnitudes *magnitudes)
{
    struct wave_grid cells = *grid;
    struct wave_magnitudes each = *magnitudes;
    cells.nx = cells.ny = cells.nz = 2;
    each.is_homogeneous = false;
    return (struct wave_tolerance){.point = wave_tolerance_of(&cells, &each, false).point};
}

/* A rung that states a bound arranges the sum so that it rounds where the weights need not: (16 near - far) / 12. It
 * has the tolerance that every other input has, whatever number it states. */
static struct findings compare_stepped(const struct problem *problem, struct expectation *expectation, bool rounds,
                                       struct host_arrays input, const float *actual, double **memory)
{
    enum wave_input kind = (enum wave_input)problem_size(problem, "input");
    if (wave_input_is_checkered(problem) && !rounds)
        return compare_checkered(problem, expectation, actual);
    struct wave_reference reference =
        wave_reference_of(&expectation->grid, input.data[WAVE_PREVIOUS], input.data[WAVE_CURRENT]);
    *memory = reference.memory;
    if (!reference.memory)
        return (struct findings){.incomplete = true};
    expectation->field = reference.field;
    if (kind == WAVE_INPUT_DYADIC && !rounds && expectation->grid.steps <= WAVE_EXACT_STEPS)
        return compare(expectation, actual); /* no tolerance at all */
    expectation->bounds = reference.bounds;
    const bool is_alike = wave_input_is_checkered(problem) || kind == WAVE_INPUT_STRUCTURED;
    const struct wave_magnitudes magnitudes = {
        .amplitude = reference.amplitude,
        .root_mean_square = reference.root_mean_square,
        .initial = reference.initial,
        .mean = reference.mean,
        .is_homogeneous = kind != WAVE_INPUT_WIDE && !is_alike &&
                          reference.amplitude <= CHANCE_AMPLITUDE * reference.root_mean_square,
        .plane_frequency = NAN,
    };
    if (!reference.bounds)
        expectation->tolerance = is_alike ? checkered_tolerance(&expectation->grid, &magnitudes)
                                          : wave_tolerance_of(&expectation->grid, &magnitudes, false);
    return compare(expectation, actual);
}

void wave_check(const struct problem *problem, const struct array *arrays, struct host_arrays input,
                struct host_arrays output, struct check_result *result)
{
    (void)arrays;
    struct expectation expectation = {.grid = wave_grid_of(problem)};
    const float *actual = output.data[WAVE_RESULT];
    double *memory = NULL;
    struct findings findings = problem_size(problem, "input") == WAVE_INPUT_PLANE
                                   ? compare_plane(problem, &expectation, actual)
                                   : compare_stepped(problem, &expectation, result->bound > 0, input, actual, &memory);
    report(&expectation, &findings, result);
    free(memory);
}
