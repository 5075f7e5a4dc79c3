/* Own parts of the wave: a rank's block of points, and those of other ranks that its result depends on. */
#include <stdlib.h>

#include "distributed/ranks/own_parts.h"
#include "distributed/ranks/wave_blocks.h"
#include "kernels/wave/reference.h"
#include "kernels/wave/wave.h"

static const char *const sides[WAVE_AXES] = {[WAVE_Z] = "nz", [WAVE_Y] = "ny", [WAVE_X] = "nx"};

static void set_sides(struct problem *problem, const size_t size[WAVE_AXES])
{
    for (enum wave_axis axis = 0; axis < WAVE_AXES; axis++)
        problem_set_size(problem, sides[axis], (int64_t)size[axis]);
}

/* Parts are no parts of one plane wave: fields are random then. */
static void shape_wave(struct problem *problem, int array, struct place place)
{
    (void)array;
    set_sides(problem, wave_box_of_place(problem, place).size);
    if (problem_size(problem, "input") == WAVE_INPUT_PLANE)
        problem_set_size(problem, "input", WAVE_INPUT_RANDOM);
}

/* Own points between as many of others' as the steps reach. The ends are wrong where the whole field does not end. */
struct extended {
    struct problem problem;
    size_t all[WAVE_AXES];   /* the whole field's points */
    size_t begin[WAVE_AXES]; /* the extended field's first points in it, which goes on beyond its end */
    struct halo_field field; /* its size */
    struct wave_box own;     /* this rank's points in it */
};

static struct extended extend(const struct method_run *run)
{
    const size_t reach = WAVE_REACH * (size_t)problem_size(run->problem, "steps");
    const struct wave_box own = wave_box_of_place(run->problem, own_place(run, 0, run->ranks.rank));
    struct extended extended = {.problem = *run->problem, .own = own};
    for (enum wave_axis axis = 0; axis < WAVE_AXES; axis++) {
        const size_t all = (size_t)problem_size(run->problem, sides[axis]);
        const bool is_whole = own.size[axis] + 2 * reach >= all;
        extended.all[axis] = all;
        extended.own.begin[axis] = is_whole ? 0 : reach;
        extended.field.size[axis] = is_whole ? all : own.size[axis] + 2 * reach;
        extended.begin[axis] = own.begin[axis] + all - extended.own.begin[axis];
    }
    shape_wave(&extended.problem, 0, own_place(run, 0, run->ranks.rank)); /* its input */
    set_sides(&extended.problem, extended.field.size);
    return extended;
}

/* Where point `index` of the extended field along an axis is in a rank's box. False: elsewhere. */
static bool is_in(const struct extended *extended, const struct wave_box *box, enum wave_axis axis, size_t index,
                  size_t *at)
{
    const size_t point = (extended->begin[axis] + index) % extended->all[axis];
    *at = point - box->begin[axis];
    return point >= box->begin[axis] && *at < box->size[axis];
}

static bool is_needed(const struct extended *extended, const struct wave_box *box)
{
    for (enum wave_axis axis = 0; axis < WAVE_AXES; axis++) {
        size_t index = 0, at;
        while (index < extended->field.size[axis] && !is_in(extended, box, axis, index, &at))
            index++;
        if (index == extended->field.size[axis])
            return false;
    }
    return true;
}

/* Copies a rank's points to wherever they are in the extended field. */
static void copy_points(const struct extended *extended, const struct wave_box *box, const float *part, float *data)
{
    const size_t *size = extended->field.size;
    size_t z, y, x;
    for (size_t k = 0; k < size[WAVE_Z]; k++)
        for (size_t j = 0; j < size[WAVE_Y] && is_in(extended, box, WAVE_Z, k, &z); j++)
            for (size_t i = 0; i < size[WAVE_X] && is_in(extended, box, WAVE_Y, j, &y); i++)
                if (is_in(extended, box, WAVE_X, i, &x))
                    data[(k * size[WAVE_Y] + j) * size[WAVE_X] + i] =
                        part[(z * box->size[WAVE_Y] + y) * box->size[WAVE_X] + x];
}

static enum status fill_extended(const struct method_run *run, const struct extended *extended, int array,
                                 uint32_t seed, float *data, struct error *error)
{
    enum status status = STATUS_OK;
    for (int rank = 0; status == STATUS_OK && rank < run->ranks.count; rank++) {
        const struct wave_box box = wave_box_of_place(run->problem, own_place(run, array, rank));
        void *part;
        if (!is_needed(extended, &box))
            continue;
        status = method_allocate(&part, own_bytes(run, array, rank), error);
        if (status != STATUS_OK)
            break;
        status = part_fill(run, shape_wave, rank, array, seed, part, error);
        if (status == STATUS_OK)
            copy_points(extended, &box, part, data);
        free(part);
    }
    return status;
}

/* The check sees the own points as they are, and what the reference makes of the others. */
static enum status check_extended(const struct method_run *run, const struct extended *extended, void *const fields[3],
                                  double *worst, struct error *error)
{
    const struct wave_grid grid = wave_grid_of(&extended->problem);
    const struct wave_reference reference = wave_reference_of(&grid, fields[0], fields[1]);
    struct halo_field result = extended->field;
    if (!reference.memory)
        return fail(error, STATUS_UNAVAILABLE, "no memory");
    for (size_t i = 0; i < grid.nx * grid.ny * grid.nz; i++)
        ((float *)fields[2])[i] = (float)reference.field[i];
    free(reference.memory);
    result.points = fields[2];
    wave_unpack(&result, &extended->own, run->parts[2]);
    return part_check(&extended->problem, (struct host_arrays){{fields[0], fields[1]}},
                      (struct host_arrays){{NULL, NULL, fields[2]}}, worst, error);
}

static enum status judge_wave(const struct method_run *run, uint32_t seed, double *worst, struct error *error)
{
    const struct extended extended = extend(run);
    const struct wave_box all = {.size = {extended.field.size[0], extended.field.size[1], extended.field.size[2]}};
    void *fields[3] = {NULL};
    enum status status = STATUS_OK;
    if (wave_box_points(&extended.own) == 0)
        return STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < 3; i++) {
        status = method_allocate(&fields[i], wave_box_points(&all) * sizeof(float), error);
        if (status == STATUS_OK && i < 2)
            status = fill_extended(run, &extended, i, seed, fields[i], error);
    }
    if (status == STATUS_OK)
        status = check_extended(run, &extended, fields, worst, error);
    for (int i = 0; i < 3; i++)
        free(fields[i]);
    return status;
}

static size_t largest_prime(size_t number)
{
    size_t factor = 2;
    while (factor < number)
        if (number % factor == 0)
            number /= factor;
        else
            factor++;
    return factor;
}

/* Each prime factor of the number of ranks, the largest first, multiplies the shortest side: blocks of the whole field
 * then have about the shape of the part that was asked for. */
static void grow_wave(struct problem *problem, size_t count)
{
    while (count > 1) {
        const size_t factor = largest_prime(count);
        enum wave_axis shortest = WAVE_Z;
        for (enum wave_axis axis = 0; axis < WAVE_AXES; axis++)
            if (problem_size(problem, sides[axis]) < problem_size(problem, sides[shortest]))
                shortest = axis;
        problem_set_size(problem, sides[shortest], problem_size(problem, sides[shortest]) * (int64_t)factor);
        count /= factor;
    }
}

const struct part_kernel parts_of_wave = {"wave", shape_wave, judge_wave, grow_wave};
