/* Own parts of kernels whose results need rows and columns of other ranks: the transpose and the matrix product. */
#include <stdlib.h>
#include <string.h>

#include "distributed/ranks/own_parts.h"

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

const struct part_kernel parts_of_transpose = {"transpose", shape_transpose, judge_transpose, NULL};

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
    enum status status = make_strip(run, 0, (struct place){.row = own.row, .rows = own.rows, .cols = depth}, seed,
                                    &input.data[0], error);
    if (status == STATUS_OK)
        status = make_strip(run, 1, (struct place){.rows = depth, .col = own.col, .cols = own.cols}, seed,
                            &input.data[1], error);
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

const struct part_kernel parts_of_matmul = {"matmul", shape_matmul, judge_matmul, NULL};
