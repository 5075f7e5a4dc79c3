/* Where the tolerance of a long run comes from. u = 2^-24, r the Courant number.
 *
 * One step. It rounds at most 17 times, each time a sum whose norm is at most (3 + 16 r²) times the field's, in the
 * maximum norm and in the mean square (shifts keep both, and the weights' magnitudes sum to that). So it errs by at
 * most 17 u (3 + 16 r²) times the field, and as its roundings are independent of each other, in the mean square of many
 * points by sqrt(17) u (3 + 16 r²) times the field's. Results among the subnormal floats are off by up to 2^-150 more
 * for each rounding.
 *
 * Many steps. An error made j steps ago has become, for the part of it that has the scheme's frequency omega,
 * sin(j omega) / sin(omega) times as large.
 * - Errors that differ from step to step and point to point hold all frequencies of the grid alike: their squares add
 *   up to the mean over these of Σ (sin(j omega) / sin(omega))².
 * - The weights' own rounding is the same in every step, and acts on the field in time with it. On a plane wave its
 *   effect adds up to at most Σ |sin(j omega) / sin(omega)|, which is below n / |sin(omega)| and n (n + 1) / 2. The
 * parts of random fields begin alike and grow like errors do, so there it is sqrt(2) Σ |sin(j omega) sin((n - j)
 * omega)| / sin²(omega), below n / sin²(omega) and n³ / 6; but for the field's mean (omega = 0), which is known.
 * - Rounded inputs are such errors made n and n + 1 steps ago.
 *
 * A point. Where points do not differ but by chance its error is that of the mean square, times at most POINT_FACTOR:
 * of errors that are sums of many, one in 10^15 is eight times the mean square. Elsewhere, and on the few points of a
 * small grid, only the maximum norm helps: e · sqrt(1² + … + n²) for errors that differ, and 1 + … + n times what is
 * the same. */
#include "kernels/wave/errors.h"

#include <math.h>

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

struct wave_tolerance wave_tolerance_of(const struct wave_grid *grid, const struct wave_magnitudes *magnitudes,
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
