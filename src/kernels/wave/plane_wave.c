#include "kernels/wave/plane_wave.h"

#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "base/worth_threads.h"

#define TURN 6.283185307179586

double plane_wave_frequency(const double k[3], double courant)
{
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += 5.0 / 2 - 8.0 / 3 * cos(k[i]) + 1.0 / 6 * cos(2 * k[i]);
    return acos(fmax(-1, 1 - courant * courant / 2 * sum));
}

/* Whole periods along a side of n points: from n/16 to n/4, at least one where there is room for it. */
static size_t periods(size_t n, uint64_t word)
{
    size_t least = n / 16 ? n / 16 : 1, most = n / 4;
    return most < least ? most : least + word % (most - least + 1);
}

struct plane_wave plane_wave_of(const struct problem *problem)
{
    struct plane_wave wave = {.grid = wave_grid_of(problem)};
    const size_t sides[3] = {wave.grid.nx, wave.grid.ny, wave.grid.nz};
    for (int i = 0; i < 3; i++)
        wave.k[i] = TURN * (double)periods(sides[i], random_word(problem->seed, (uint64_t)i)) / (double)sides[i];
    wave.phase = TURN * (double)(random_word(problem->seed, 3) >> 11) * 0x1p-53;
    wave.omega = plane_wave_frequency(wave.k, wave.grid.courant);
    return wave;
}

double *plane_wave_turns(const struct plane_wave *wave)
{
    size_t nx = wave->grid.nx;
    double *turns = malloc(2 * nx * sizeof *turns);
    for (size_t x = 0; turns && x < nx; x++) {
        turns[x] = cos(wave->k[0] * (double)x);
        turns[nx + x] = sin(wave->k[0] * (double)x);
    }
    return turns;
}

void plane_wave_row(const struct plane_wave *wave, const double *turns, double step, size_t y, size_t z, double *row)
{
    size_t nx = wave->grid.nx;
    double angle = wave->k[1] * (double)y + wave->k[2] * (double)z - wave->omega * step + wave->phase;
    double cosine = cos(angle), sine = sin(angle);
#pragma omp simd
    for (size_t x = 0; x < nx; x++)
        row[x] = cosine * turns[x] - sine * turns[nx + x];
}

/* Points of row r by a cosine each, when there is no memory for the table of rotations. */
static void write_points(const struct plane_wave *wave, double step, size_t y, size_t z, float *row)
{
    double angle = wave->k[1] * (double)y + wave->k[2] * (double)z - wave->omega * step + wave->phase;
    for (size_t x = 0; x < wave->grid.nx; x++)
        row[x] = (float)cos(angle + wave->k[0] * (double)x);
}

void plane_wave_write(const struct plane_wave *wave, double step, float *field)
{
    size_t nx = wave->grid.nx, ny = wave->grid.ny, rows = ny * wave->grid.nz;
    double *turns = plane_wave_turns(wave);
#pragma omp parallel if (is_worth_threads(rows * nx))
    {
        double *room = turns ? malloc(nx * sizeof *room) : NULL;
#pragma omp for schedule(static)
        for (size_t r = 0; r < rows; r++) {
            float *row = field + r * nx;
            if (!room) {
                write_points(wave, step, r % ny, r / ny, row);
                continue;
            }
            plane_wave_row(wave, turns, step, r % ny, r / ny, room);
            for (size_t x = 0; x < nx; x++)
                row[x] = (float)room[x];
        }
        free(room);
    }
    free(turns);
}
