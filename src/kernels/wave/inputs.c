#include "kernels/wave/inputs.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/size.h"
#include "base/worth_threads.h"
#include "kernels/structure.h"
#include "kernels/wave/checkered.h"
#include "kernels/wave/plane_wave.h"

const char *const wave_inputs[] = {"plane", "random", "dyadic", "tiny", "huge", "wide", "structured", NULL};

/* The reference of more points takes long, and memory for doubles. */
#define CHECKERED_POINTS ((size_t)1 << 22)

bool wave_input_is_checkered(const struct problem *problem)
{
    struct wave_grid grid = wave_grid_of(problem);
    bool is_large = grid.nx * grid.ny * grid.nz > CHECKERED_POINTS;
    return problem_size(problem, "input") == WAVE_INPUT_DYADIC && (grid.steps > WAVE_EXACT_STEPS || is_large);
}

/* The largest integer for which all sums of `steps` steps have 24 bits. A step multiplies magnitudes, and those of all
 * partial sums, by at most 19/32 + 1 + 6/4 + 6/64 = 3.1875, and needs 6 bits more behind the point:
 * 32767 · 3.1875 · 64, 127 · (3.1875 · 64)² and 1 · (3.1875 · 64)³ are all below 2^24. */
static int64_t dyadic_most(size_t steps)
{
    return steps == 1 ? 32767 : steps == 2 ? 127 : 1;
}

/* Uniform in [-1, 1), of 25 bits. */
static float unit(uint64_t word)
{
    return (float)((int64_t)word >> 39) * 0x1p-24f;
}

static float value_of(enum wave_input input, uint64_t word, size_t steps)
{
    int64_t most = dyadic_most(steps);
    switch (input) {
    case WAVE_INPUT_DYADIC:
        return (float)((int64_t)(word >> 32) % (2 * most + 1) - most);
    case WAVE_INPUT_TINY: /* the upper end of the subnormal floats, so that sums cross it */
        return (float)ldexp(unit(word), -127);
    case WAVE_INPUT_HUGE: /* 192 such values fit, as textbooks add them before they divide by 12, grown (2 · steps +
                             1)-fold */
        return (float)ldexp(unit(word), 119 - (int)ceil(log2((double)steps + 1)));
    case WAVE_INPUT_WIDE:
        return (float)ldexp(unit(word), (int)(word % 81) - 40);
    default:
        return unit(word);
    }
}

static void fill_random(const struct problem *problem, unsigned which, float *field)
{
    struct wave_grid grid = wave_grid_of(problem);
    enum wave_input input = (enum wave_input)problem_size(problem, "input");
    size_t count = grid.nx * grid.ny * grid.nz;
    uint64_t first = (uint64_t)which * count;
#pragma omp parallel for schedule(static) if (is_worth_threads(count))
    for (size_t i = 0; i < count; i++)
        field[i] = value_of(input, random_word(problem->seed, first + i), grid.steps);
}

static void fill_checkered(const struct problem *problem, struct host_arrays host)
{
    struct wave_grid grid = wave_grid_of(problem);
    struct checkered_field fields[2];
    float *const arrays[] = {host.data[WAVE_PREVIOUS], host.data[WAVE_CURRENT]};
    checkered_inputs(problem, &fields[0], &fields[1]);
    for (size_t which = 0; which < COUNT_OF(arrays); which++)
#pragma omp parallel for schedule(static) if (is_worth_threads(grid.nx * grid.ny * grid.nz))
        for (size_t row = 0; row < grid.ny * grid.nz; row++)
            for (size_t x = 0; x < grid.nx; x++)
                arrays[which][row * grid.nx + x] =
                    (float)fields[which].values[row / grid.ny % 2][row % grid.ny % 2][x % 2];
}

/* The planes lie one after another in a matrix of lines along x. Where the current field is the previous one,
 * it stands still at first. */
static void fill_structured(const struct problem *problem, struct host_arrays host)
{
    struct wave_grid grid = wave_grid_of(problem);
    float *const arrays[] = {host.data[WAVE_PREVIOUS], host.data[WAVE_CURRENT]};
    for (unsigned which = 0; which < COUNT_OF(arrays); which++) {
        const unsigned array = problem->seed / 3 % 2 ? which : 0;
        const struct structure structure = structure_of(problem->seed, array, grid.ny * grid.nz, grid.nx);
#pragma omp parallel for schedule(static) if (is_worth_threads(grid.nx * grid.ny * grid.nz))
        for (size_t row = 0; row < grid.ny * grid.nz; row++)
            for (size_t x = 0; x < grid.nx; x++) {
                const uint64_t word = structure_word(&structure, row, x);
                arrays[which][row * grid.nx + x] = word <= STRUCTURE_WORD_1 ? (float)word : unit(word);
            }
    }
}

void wave_fill(const struct problem *problem, const struct array *arrays, struct host_arrays host)
{
    (void)arrays;
    if (problem_size(problem, "input") == WAVE_INPUT_PLANE) {
        struct plane_wave wave = plane_wave_of(problem);
        plane_wave_write(&wave, -1, host.data[WAVE_PREVIOUS]);
        plane_wave_write(&wave, 0, host.data[WAVE_CURRENT]);
        return;
    }
    if (problem_size(problem, "input") == WAVE_INPUT_STRUCTURED) {
        fill_structured(problem, host);
        return;
    }
    if (wave_input_is_checkered(problem)) {
        fill_checkered(problem, host);
        return;
    }
    fill_random(problem, 0, host.data[WAVE_PREVIOUS]);
    fill_random(problem, 1, host.data[WAVE_CURRENT]);
}

/* Exact fields need exact weights. */
enum status wave_imply(struct problem *problem, const bool *given, struct error *error)
{
    if (problem_size(problem, "input") != WAVE_INPUT_DYADIC)
        return STATUS_OK;
    for (size_t i = 0; i < problem->kernel->field_count; i++) {
        if (strcmp(problem->kernel->fields[i].name, "courant") != 0)
            continue;
        double *courant = &problem->values[i].real;
        if (given && given[i] && fabs(*courant - WAVE_DYADIC_COURANT) > 1e-12)
            return fail(error, STATUS_INVALID,
                        "wave: input=dyadic needs courant=0.4330127018922193 (its square is 3/16), or none given");
        *courant = WAVE_DYADIC_COURANT;
    }
    return STATUS_OK;
}
