/* Errors of products of floats or of 16 bits, compared with sums in double; the products themselves are exact in double
 * (24 + 24 of 53 bits). A result of 16 bits is what was stored, with its own rounding. The error of such a sum is at
 * most K·2^-53 of the terms' magnitudes: at K = 16384, 1/30000 of a float's own rounding.
 *
 * Up to 64 rows are compared, with all of their columns: the first, the last, and random others. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "kernels/matmul/accuracy.h"
#include "kernels/matmul/check.h"

#define ROWS_MOST 64
#define BLOCK 64 /* columns, and depths, at a time */

struct exact_answers {
    size_t rows[ROWS_MOST], row_count;
    struct product product;
    double *value, *magnitude; /* row_count rows of n: the exact result, and the sum of its terms' magnitudes */
};

/* ---- exact answers ---------------------------------------------------------------------------------------------- */

static void choose_rows(const struct problem *problem, size_t m, struct exact_answers *answers)
{
    const size_t count = m < ROWS_MOST ? m : ROWS_MOST;
    for (size_t i = 0; i < count; i++) {
        const size_t first = m / count * i, more = m / count; /* one row of each stretch */
        size_t row = i == 0 ? 0 : i == count - 1 ? m - 1 : first + random_word(problem->seed, i) % more;
        answers->rows[answers->row_count++] = row;
    }
}

static double factor(const struct product *p, bool is_b, size_t line, size_t k)
{
    const bool along = is_b ? p->transb : !p->transa;
    const size_t stride = is_b ? p->ldb : p->lda;
    return element_at(is_b ? p->b : p->a, p->type, along ? line * stride + k : k * stride + line);
}

struct block {
    double row[BLOCK];
    double columns[BLOCK][BLOCK]; /* [depth][column] */
};

static void add_row(const struct block *block, size_t depth, double *restrict value, double *restrict magnitude)
{
    for (size_t k = 0; k < depth; k++) {
        const double a = block->row[k];
#pragma omp simd
        for (size_t j = 0; j < BLOCK; j++) {
            const double term = a * block->columns[k][j];
            value[j] += term;
            magnitude[j] += fabs(term);
        }
    }
}

/* Adds columns first … first + width of all rows. The sums are in blocks, as a row of C may end within one. */
static void add_columns(struct exact_answers *answers, size_t first, size_t width)
{
    const struct product *p = &answers->product;
    const size_t depth = product_depth(p);
    double value[ROWS_MOST][BLOCK] = {{0}}, magnitude[ROWS_MOST][BLOCK] = {{0}};
    struct block block;
    memset(&block, 0, sizeof block);
    for (size_t k = 0; k < depth; k += BLOCK) {
        const size_t steps = depth - k < BLOCK ? depth - k : BLOCK;
        for (size_t i = 0; i < steps; i++)
            for (size_t j = 0; j < width; j++)
                block.columns[i][j] = factor(p, true, first + j, k + i);
        for (size_t r = 0; r < answers->row_count; r++) {
            for (size_t i = 0; i < steps; i++)
                block.row[i] = factor(p, false, answers->rows[r], k + i);
            add_row(&block, steps, value[r], magnitude[r]);
        }
    }
    for (size_t r = 0; r < answers->row_count; r++) {
        memcpy(answers->value + r * p->n + first, value[r], width * sizeof(double));
        memcpy(answers->magnitude + r * p->n + first, magnitude[r], width * sizeof(double));
    }
}

/* Computes alpha times the product plus beta times the original C. */
static void finish_answers(struct exact_answers *answers, const void *before)
{
    const struct product *p = &answers->product;
    for (size_t r = 0; r < answers->row_count; r++)
        for (size_t j = 0; j < p->n; j++) {
            const size_t at = r * p->n + j;
            const double old =
                p->beta != 0 ? p->beta * element_at(before, p->result, answers->rows[r] * p->ldc + j) : 0;
            answers->value[at] = p->alpha * answers->value[at] + old;
            answers->magnitude[at] = fabs(p->alpha) * answers->magnitude[at] + fabs(old);
        }
}

static void free_answers(struct exact_answers *answers)
{
    if (!answers)
        return;
    free(answers->value);
    free(answers->magnitude);
    free(answers);
}

static enum status exact(const struct problem *problem, struct host_arrays input, struct exact_answers **made,
                         struct error *error)
{
    if (problem->type == ELEMENT_F64)
        return fail(error, STATUS_INVALID, "the accuracy of f32, f16 and bf16 is compared, not of %s",
                    element_info(problem->type)->name);
    if (problem_size(problem, "batch") != 1)
        return fail(error, STATUS_INVALID, "the accuracy of single products is compared: leave batch out");
    struct exact_answers *answers = calloc(1, sizeof *answers);
    if (!answers)
        return fail(error, STATUS_UNAVAILABLE, "no memory for the exact answers");
    answers->product = product_of(problem, input.data[0], input.data[1], NULL);
    const struct product *p = &answers->product;
    choose_rows(problem, p->m, answers);
    answers->value = calloc(answers->row_count * p->n + 1, sizeof(double));
    answers->magnitude = calloc(answers->row_count * p->n + 1, sizeof(double));
    if (!answers->value || !answers->magnitude) {
        free_answers(answers);
        return fail(error, STATUS_UNAVAILABLE, "no memory for the exact answers");
    }
#pragma omp parallel for schedule(dynamic)
    for (size_t first = 0; first < p->n; first += BLOCK)
        add_columns(answers, first, p->n - first < BLOCK ? p->n - first : BLOCK);
    finish_answers(answers, input.data[2]);
    *made = answers;
    return STATUS_OK;
}

/* ---- errors ----------------------------------------------------------------------------------------------------- */

/* The squares of the largest and smallest floats fit a double without scaling: 2^±298. */
static void compare(const struct exact_answers *answers, struct host_arrays output, struct accuracy_errors *errors)
{
    const struct product *p = &answers->product;
    double squares = 0, squared_errors = 0;
    *errors = (struct accuracy_errors){.rows = answers->row_count, .all_rows = p->m};
    for (size_t r = 0; r < answers->row_count; r++)
        for (size_t j = 0; j < p->n; j++) {
            const double value = answers->value[r * p->n + j], magnitude = answers->magnitude[r * p->n + j];
            const double actual = element_at(output.data[2], p->result, answers->rows[r] * p->ldc + j);
            const double difference = fabs(actual - value);
            const double error = isfinite(actual) ? difference : INFINITY; /* also for NaN */
            squares += value * value;
            squared_errors += error * error;
            errors->largest = fmax(errors->largest, error);
            if (magnitude > 0)
                errors->componentwise = fmax(errors->componentwise, error / magnitude);
            else if (error > 0)
                errors->componentwise = INFINITY;
        }
    errors->relative = squares > 0 ? sqrt(squared_errors) / sqrt(squares) : squared_errors > 0 ? INFINITY : 0;
}

/* ---- the view --------------------------------------------------------------------------------------------------- */

static const char *const inputs[] = {"unit", "signed", "normal", "wide17", "wide61", "wide", NULL};
static const char *const sizes_gpu[] = {"matmul:4096", "matmul:m=4096,n=4096,k=16384", NULL};
static const char *const sizes_cpu[] = {"matmul:256", NULL};
static const struct rung *const extra[] = {&matmul_cublas_tf32, &matmul_cublas_float16, &matmul_cublas_bfloat16, NULL};

const struct accuracy_view matmul_accuracy = {
    .field = "input",
    .inputs = inputs,
    .sizes_gpu = sizes_gpu,
    .sizes_cpu = sizes_cpu,
    .extra = extra,
    .exact = exact,
    .compare = compare,
    .free = free_answers,
};
