/* The plain signature of a wave's step. */
#include "kernels/plain.h"
#include "base/size.h"
#include "base/translation.h"
#include "kernels/wave/wave.h"

static const struct plain_argument arguments[] = {
    {"before", " previous prev old u0 um u_prev u_old past last ", "previous", .is_array = true},
    {"now", " current here u u1 cur curr in present u_cur u_now ", "current", .is_array = true},
    {"after", " result next new u2 up unew u_new u_next out future ", "result", .is_array = true},
    {"nx", " width n x_size dimx ", "nx", .is_size = true},
    {"ny", " height y_size dimy ", "ny", .is_size = true},
    {"nz", " depth z_size dimz ", "nz", .is_size = true},
    {"courant", " c r cfl nu ", "courant", .is_real = true},
    {"courant2", " c2 r2 cc rr c_squared courant_squared cfl2 lambda2 nu2 coef coeff ", "courant * courant",
     .is_real = true, .by_name = true},
};

static void call(struct run *run, void (*function)(void))
{
    const struct wave_grid grid = wave_grid_of(run->problem);
    void *const fields[] = {
        [WAVE_FIELD_PREVIOUS] = run->buffers[WAVE_PREVIOUS].host,
        [WAVE_FIELD_CURRENT] = run->buffers[WAVE_CURRENT].host,
        [WAVE_FIELD_RESULT] = run->buffers[WAVE_RESULT].host,
        [WAVE_FIELD_SCRATCH] = run->scratch ? run->scratch->host : NULL,
    };
    for (size_t step = 0; step < grid.steps; step++) {
        struct wave_turn turn = wave_turn(step, grid.steps);
        ((void (*)(const void *, const void *, void *, long, long, long, float))function)(
            fields[turn.before], fields[turn.here], fields[turn.next], (long)grid.nx, (long)grid.ny, (long)grid.nz,
            (float)grid.courant);
    }
}

extern const struct rung wave_single_steps;

const struct plain_signature wave_plain = {
    .prototype = "void wave(const ELEMENT *before, const ELEMENT *now, ELEMENT *after, long nx, long ny, long nz,\n"
                 "          ELEMENT courant)",
    .arguments = arguments,
    .count = COUNT_OF(arguments),
    .output = 2,
    .lone_size = {"nx == ny && ny == nz", N_("its one size asks for a cube")},
    .group = "32, 8, 1",
    .groups = "ceil(nx / 32), ceil(ny / 8), nz",
    .bound = "1", /* textbooks divide by 12 */
    .host_half = &wave_single_steps,
    .scratch = wave_turn_scratch,
    .by_value = true,
    .call = call,
};
