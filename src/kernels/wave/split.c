/* Parts are slabs along z, the slow axis, with a halo of as many planes as the steps reach. A part's own boundaries
 * are periodic like the whole's: what that spoils stays within the halos. */

#include "base/message.h"
#include "base/translation.h"
#include "kernels/part.h"
#include "kernels/wave/wave.h"

/* Planes from `plane` (which may be before the first) on, `planes` of them, come one after another into the part. */
static void take_planes(struct job_part *part, int array, ptrdiff_t plane, size_t planes, size_t nz, size_t plane_bytes)
{
    size_t first = wave_wrap(plane, nz), until_end = nz - first < planes ? nz - first : planes;
    part_add_bytes(part, array, first * plane_bytes, 0, until_end * plane_bytes);
    part_add_bytes(part, array, 0, until_end * plane_bytes, (planes - until_end) * plane_bytes);
}

/* Two fields come in for each one that goes back, so what matters is what is left to do when the last plane has come.
 * Twice the halo around that plane waits for it whatever the cut: that is the last part, and a little more; the parts
 * before it become thinner towards it. Even parts where the halo is most of one. */
static size_t begin_of(const struct wave_grid *grid, size_t halo, size_t count, size_t index)
{
    size_t last = 2 * halo + grid->nz / count / 6;
    if (count < 4 || last >= grid->nz / 4 || grid->nz - last < 4 * count)
        return part_begin(grid->nz, count, index);
    return index == count ? grid->nz : part_begin_tapered(grid->nz - last, count - 1, index);
}

const char *wave_split(const struct problem *problem, size_t index, size_t count, struct job_part *part, char *reason,
                       size_t size)
{
    struct wave_grid grid = wave_grid_of(problem);
    size_t plane_bytes = grid.nx * grid.ny * element_info(problem->type)->bytes, halo = WAVE_REACH * grid.steps;
    if (part_refuses(grid.nz, N_("%zu planes make no %zu parts"), count, reason, size))
        return reason;
    size_t from = begin_of(&grid, halo, count, index), depth = begin_of(&grid, halo, count, index + 1) - from;
    size_t taken = depth + 2 * halo;
    if (taken > grid.nz) {
        explain(reason, size, "%zu steps reach %zu planes to either side: parts of %zu planes need %zu of %zu",
                grid.steps, halo, depth, taken, grid.nz);
        return reason;
    }
    problem_set_size(&part->problem, "nz", (int64_t)taken);
    /* The first part begins a halo before the first plane: parts that reach beyond the other end find those planes
     * there. */
    size_t met = from + depth + 2 * halo > grid.nz ? from + depth + 2 * halo - grid.nz : 0;
    for (int array = WAVE_PREVIOUS; array <= WAVE_CURRENT; array++) {
        take_planes(part, array, (ptrdiff_t)from - (ptrdiff_t)halo, taken, grid.nz, plane_bytes);
        part->arrays[array].shared = index > 0 ? 2 * halo * plane_bytes : 0;
        part->arrays[array].wrapped = index > 0 ? met * plane_bytes : 0;
    }
    part_add_bytes(part, WAVE_RESULT, from * plane_bytes, halo * plane_bytes, depth * plane_bytes);
    return NULL;
}
