/* Own parts of kernels whose results need rows and columns of other ranks: the transpose, the matrix product, and the
 * wave's planes. */
#include <stdlib.h>
#include <string.h>

#include "distributed/ranks/own_parts_kernels.h"
#include "kernels/wave/reference.h"
#include "kernels/wave/wave.h"

/* A rectangle of rows × width bytes, between memories of other pitches. */
static void copy_rows(char *to, size_t to_pitch, const char *from, size_t from_pitch, size_t width, size_t rows)
{
    for (size_t row = 0; row < rows; row++)
        memcpy(to + row * to_pitch, from + row * from_pitch, width);
}

/* ---- transpose ------------------------------------------------------------------------------------------------- */

static void shape_transpose(struct problem *problem, int array, struct place place)
{
    (void)array;
    problem_set_size(problem, "rows", (int64_t)place.rows);
    problem_set_size(problem, "cols", (int64_t)place.cols);
}

/* The rows of one rank are columns of every result. */
static enum status judge_rows_of(const struct method_run *run, int rank, void *const memory[3], uint32_t seed,
                                 double *worst, struct error *error)
{
    const size_t bytes = element_info(run->problem->type)->bytes;
    const struct place own = own_place(run, 1, run->ranks.rank), other = own_place(run, 0, rank);
    struct problem local = *run->problem;
    if (own.rows == 0 || other.rows == 0)
        return STATUS_OK;
    enum status status = part_fill(run, shape_transpose, rank, 0, seed, memory[0], error);
    if (status != STATUS_OK)
        return status;
    copy_rows(memory[1], own.rows * bytes, (char *)memory[0] + own.row * bytes, other.cols * bytes, own.rows * bytes,
              other.rows);
    copy_rows(memory[2], other.rows * bytes, (char *)run->parts[1] + other.row * bytes, own.cols * bytes,
              other.rows * bytes, own.rows);
    shape_transpose(&local, 0, (struct place){.rows = other.rows, .cols = own.rows});
    return part_check(&local, (struct host_arrays){{memory[1]}}, (struct host_arrays){{NULL, memory[2]}}, worst, error);
}

static enum status judge_transpose(const struct method_run *run, uint32_t seed, double *worst, struct error *error)
{
    void *memory[3] = {NULL};
    const size_t most = own_bytes(run, 0, 0);
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < 3; i++)
        status = method_allocate(&memory[i], most, error);
    for (int rank = 0; status == STATUS_OK && rank < run->ranks.count; rank++)
        status = judge_rows_of(run, rank, memory, seed, worst, error);
    for (int i = 0; i < 3; i++)
        free(memory[i]);
    return status;
}

const struct part_kernel parts_of_transpose = {"transpose", shape_transpose, judge_transpose};

/* ---- matrix product -------------------------------------------------------------------------------------------- */

static void shape_matmul(struct problem *problem, int array, struct place place)
{
    static const char *const sides[3][2] = {{"m", "k"}, {"k", "n"}, {"m", "n"}};
    static const char *const all[] = {"m", "n", "k"};
    for (size_t i = 0; i < COUNT_OF(all); i++)
        problem_set_size(problem, all[i], 0);
    problem_set_size(problem, sides[array][0], (int64_t)place.rows);
    problem_set_size(problem, sides[array][1], (int64_t)place.cols);
}

/* Makes all of an array's rows (of A) or columns (of B) that a block of the product needs: `strip` of the array. */
static enum status make_strip(const struct method_run *run, int array, struct place strip, uint32_t seed, void **data,
                              struct error *error)
{
    const size_t bytes = element_info(run->problem->type)->bytes;
    void *part = NULL;
    enum status status = method_allocate(data, strip.rows * strip.cols * bytes, error);
    for (int rank = 0; status == STATUS_OK && rank < run->ranks.count; rank++) {
        const struct place place = own_place(run, array, rank);
        const bool belongs = array == 0 ? place.row == strip.row && place.rows == strip.rows
                                        : place.col == strip.col && place.cols == strip.cols;
        if (!belongs || place.rows * place.cols == 0)
            continue;
        free(part);
        status = method_allocate(&part, place.rows * place.cols * bytes, error);
        if (status != STATUS_OK)
            break;
        status = part_fill(run, shape_matmul, rank, array, seed, part, error);
        copy_rows((char *)*data + ((place.row - strip.row) * strip.cols + place.col - strip.col) * bytes,
                  strip.cols * bytes, part, place.cols * bytes, place.cols * bytes, place.rows);
    }
    free(part);
    return status;
}

static enum status judge_matmul(const struct method_run *run, uint32_t seed, double *worst, struct error *error)
{
    const struct place own = own_place(run, 2, run->ranks.rank);
    const size_t depth = run->arrays[0].cols;
    struct host_arrays input = {{NULL}};
    struct problem local = *run->problem;
    if (own.rows * own.cols == 0)
        return STATUS_OK;
    enum status status = make_strip(run, 0, (struct place){own.row, own.rows, 0, depth}, seed, &input.data[0], error);
    if (status == STATUS_OK)
        status = make_strip(run, 1, (struct place){0, depth, own.col, own.cols}, seed, &input.data[1], error);
    if (status == STATUS_OK)
        status = method_allocate(&input.data[2], own_bytes(run, 2, run->ranks.rank), error);
    if (status == STATUS_OK)
        status = part_fill(run, shape_matmul, run->ranks.rank, 2, seed, input.data[2], error);
    if (status == STATUS_OK) {
        problem_set_size(&local, "m", (int64_t)own.rows);
        problem_set_size(&local, "n", (int64_t)own.cols);
        status = part_check(&local, input, (struct host_arrays){{NULL, NULL, run->parts[2]}}, worst, error);
    }
    for (int i = 0; i < 3; i++)
        free(input.data[i]);
    return status;
}

const struct part_kernel parts_of_matmul = {"matmul", shape_matmul, judge_matmul};

/* ---- wave ------------------------------------------------------------------------------------------------------ */

/* Parts are no parts of one plane wave: fields are random then. */
static void shape_wave(struct problem *problem, int array, struct place place)
{
    const size_t ny = (size_t)problem_size(problem, "ny");
    (void)array;
    problem_set_size(problem, "nz", (int64_t)(place.rows / ny));
    if (problem_size(problem, "input") == WAVE_INPUT_PLANE)
        problem_set_size(problem, "input", WAVE_INPUT_RANDOM);
}

/* Own planes between as many of others' as the steps reach. Their ends are wrong where the whole field does not end. */
struct extended {
    struct problem problem;
    struct place own;           /* rows of nx points */
    size_t before, rows, plane; /* rows before the own ones; of all; bytes of a plane's row */
};

static struct extended extend(const struct method_run *run)
{
    const size_t ny = (size_t)problem_size(run->problem, "ny"), all = run->arrays[0].rows;
    const size_t reach = WAVE_REACH * (size_t)problem_size(run->problem, "steps") * ny;
    struct extended extended = {.problem = *run->problem, .own = own_place(run, 0, run->ranks.rank)};
    const bool is_whole = extended.own.rows + 2 * reach >= all;
    extended.before = is_whole ? 0 : reach;
    extended.rows = is_whole ? all : extended.own.rows + 2 * reach;
    extended.plane = run->arrays[0].cols * element_info(run->problem->type)->bytes;
    shape_wave(&extended.problem, 0, (struct place){.rows = extended.rows});
    return extended;
}

static enum status fill_extended(const struct method_run *run, const struct extended *extended, int array,
                                 uint32_t seed, char *data, struct error *error)
{
    const size_t all = run->arrays[0].rows, begin = extended->own.row + all - extended->before;
    enum status status = STATUS_OK;
    for (int rank = 0; status == STATUS_OK && rank < run->ranks.count; rank++) {
        const struct place place = own_place(run, array, rank);
        void *part;
        bool is_needed = false;
        for (size_t row = 0; row < extended->rows && !is_needed; row++) {
            const size_t at = (begin + row) % all;
            is_needed = at >= place.row && at < place.row + place.rows;
        }
        if (!is_needed)
            continue;
        status = method_allocate(&part, own_bytes(run, array, rank), error);
        if (status != STATUS_OK)
            break;
        status = part_fill(run, shape_wave, rank, array, seed, part, error);
        for (size_t row = 0; row < extended->rows; row++) {
            const size_t at = (begin + row) % all;
            if (at >= place.row && at < place.row + place.rows)
                memcpy(data + row * extended->plane, (char *)part + (at - place.row) * extended->plane,
                       extended->plane);
        }
        free(part);
    }
    return status;
}

/* The check sees the own planes as they are, and what the reference makes of the others. */
static enum status check_extended(const struct method_run *run, const struct extended *extended, void *const fields[3],
                                  double *worst, struct error *error)
{
    const struct wave_grid grid = wave_grid_of(&extended->problem);
    const struct wave_reference reference = wave_reference_of(&grid, fields[0], fields[1]);
    if (!reference.memory)
        return fail(error, STATUS_UNAVAILABLE, "no memory");
    for (size_t i = 0; i < grid.nx * grid.ny * grid.nz; i++)
        ((float *)fields[2])[i] = (float)reference.field[i];
    free(reference.memory);
    memcpy((char *)fields[2] + extended->before * extended->plane, run->parts[2], extended->own.rows * extended->plane);
    return part_check(&extended->problem, (struct host_arrays){{fields[0], fields[1]}},
                      (struct host_arrays){{NULL, NULL, fields[2]}}, worst, error);
}

static enum status judge_wave(const struct method_run *run, uint32_t seed, double *worst, struct error *error)
{
    const struct extended extended = extend(run);
    void *fields[3] = {NULL};
    enum status status = STATUS_OK;
    if (extended.own.rows == 0)
        return STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < 3; i++) {
        status = method_allocate(&fields[i], extended.rows * extended.plane, error);
        if (status == STATUS_OK && i < 2)
            status = fill_extended(run, &extended, i, seed, fields[i], error);
    }
    if (status == STATUS_OK)
        status = check_extended(run, &extended, fields, worst, error);
    for (int i = 0; i < 3; i++)
        free(fields[i]);
    return status;
}

const struct part_kernel parts_of_wave = {"wave", shape_wave, judge_wave};
