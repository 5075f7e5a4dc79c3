/* The check of a matrix product. If no order of operations rounds anything, exactly one result is right
 * (check_integers.c). Other small products are computed again in double, element by element (check_exact.c).
 *
 * Large products are tested with random vectors (check_vectors.c). They are also tested element by element in some
 * rows, and in rows and columns reached by NaN, infinity, or numbers whose squares or results leave their range
 * (check_range.c).
 *
 * Some rows are also tested for the signature of tf32. */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"
#include "base/translation.h"
#include "base/worth_threads.h"
#include "kernels/matmul/check.h"
#include "kernels/matmul/check_loops.h"
#include "kernels/structure.h"

#define INTEGER_OPERATIONS 0x1p25 /* beyond this, the check in integers is faster */
#define SAMPLED_ROWS 8

double check_exact_operations = 0x1p31; /* one second on two cores */

/* ---- rows and columns ----------------------------------------------------------------------------------------- */

static struct lines all_lines(size_t count)
{
    return (struct lines){NULL, count};
}

/* The first row, the last and some others, ascending and without repeats. */
static struct lines sample_rows(size_t m, size_t chosen[SAMPLED_ROWS])
{
    size_t count = 0, part = m / SAMPLED_ROWS;
    for (size_t i = 0; i < SAMPLED_ROWS; i++) {
        size_t row = i == SAMPLED_ROWS - 1 ? m - 1 : i * part;
        if (i > 0 && i < SAMPLED_ROWS - 1 && part > 0)
            row += (size_t)(random_word(m, i) % part);
        if (row < m && (count == 0 || row > chosen[count - 1]))
            chosen[count++] = row;
    }
    return (struct lines){chosen, count};
}

/* Marks the rows (or columns) of a stored matrix that contain NaN or infinity. */
static void mark(struct matrix s, bool by_rows, bool *marks)
{
    const struct check_loops *loops = check_loops();
#pragma omp parallel for schedule(static) if (is_worth_threads(s.rows * s.cols))
    for (size_t row = 0; row < s.rows; row++)
        for (size_t from = 0, count; from < s.cols; from += count) {
            double numbers[CHECK_CHUNK];
            count = check_chunk(from, s.cols);
            const bool finite = loops->widen(s.type, s.data, row * s.stride + from, count, numbers);
            for (size_t i = 0; !finite && i < count; i++)
                if (!isfinite(numbers[i])) {
                    bool *line = &marks[by_rows ? row : from + i];
#pragma omp atomic write
                    *line = true;
                }
        }
}

/* Marks the rows and columns of C that are reached by NaN, infinity or extreme numbers. */
static void mark_special(const struct trial *trial, bool *rows, bool *cols)
{
    const struct product *p = &trial->product;
    if (trial->ranges.are_special) {
        mark(matrix_a(p), !p->transa, rows);
        mark(matrix_b(p), p->transb, cols);
    }
    if (p->beta != 0)
        mark(matrix_c(p, trial->before), true, rows);
    if (rounds_results(p)) /* a result beyond its type is infinite, and right, without an infinite sum */
        mark(matrix_c(p, trial->after), true, rows);
    check_mark_extremes(trial, rows, cols);
}

static struct lines marked_lines(const bool *marks, size_t count, size_t *index)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        if (marks[i])
            index[found++] = i;
    return (struct lines){index, found};
}

/* ---- large products ------------------------------------------------------------------------------------------- */

/* The state of a large product's check. */
struct large {
    bool *rows, *cols; /* special rows and columns, judged element by element */
    size_t *index;     /* room for a list of rows or columns */
};

/* Judges each element of the row or column that the vectors found, to name the wrong element. */
static void locate(const struct trial *trial, size_t line, bool is_row, struct findings *findings)
{
    const struct product *p = &trial->product;
    struct lines one = {&line, 1};
    size_t known = findings->wrong;
    findings->wrong = 0;
    check_exact(trial, is_row ? one : all_lines(p->m), is_row ? all_lines(p->n) : one, false, findings);
    if (findings->wrong == 0) {
        findings->first_row = is_row ? line : SIZE_MAX;
        findings->first_col = is_row ? SIZE_MAX : line;
    }
    findings->wrong = findings->wrong > known ? findings->wrong : known;
    findings->wrong += findings->wrong == 0;
}

static enum status judge_large(const struct trial *trial, const struct large *large, struct findings *findings)
{
    const struct product *p = &trial->product;
    mark_special(trial, large->rows, large->cols);
    check_exact(trial, marked_lines(large->rows, p->m, large->index), all_lines(p->n), false, findings);
    check_exact(trial, all_lines(p->m), marked_lines(large->cols, p->n, large->index), false, findings);
    if (findings->wrong > 0)
        return STATUS_OK;
    bool agree, is_row;
    size_t line;
    enum status status = check_vectors(trial, large->rows, large->cols, &agree, &line, &is_row, findings);
    if (status == STATUS_OK && !agree)
        locate(trial, line, is_row, findings);
    return status;
}

static enum status check_large(const struct trial *trial, struct findings *findings)
{
    const struct product *p = &trial->product;
    size_t longer = p->m > p->n ? p->m : p->n;
    struct large large = {calloc(p->m, sizeof(bool)), calloc(p->n, sizeof(bool)), calloc(longer, sizeof(size_t))};
    enum status status = STATUS_UNAVAILABLE;
    if (large.rows && large.cols && large.index)
        status = judge_large(trial, &large, findings);
    free(large.rows);
    free(large.cols);
    free(large.index);
    return status;
}

/* ---- one product ---------------------------------------------------------------------------------------------- */

/* Judges a product without any rounding: there is one right result. */
static enum status judge_integers(const struct trial *trial, struct findings *findings)
{
    const struct product *p = &trial->product;
    const bool small = trial->operations <= INTEGER_OPERATIONS;
    size_t row = 0;
    enum status status = small ? STATUS_OK : check_integers(trial, &row);
    if (status != STATUS_OK || (!small && row == p->m)) {
        findings->compared = p->m * p->n;
        return status;
    }
    if (small)
        check_exact(trial, all_lines(p->m), all_lines(p->n), false, findings);
    else
        locate(trial, row, true, findings);
    return STATUS_OK;
}

static enum status judge(const struct trial *trial, struct findings *findings)
{
    const struct product *p = &trial->product;
    size_t chosen[SAMPLED_ROWS];
    if (trial->exact && !rounds_results(p))
        return judge_integers(trial, findings);
    check_exact(trial, sample_rows(p->m, chosen), all_lines(p->n), p->type == ELEMENT_F32, findings);
    if (findings->wrong > 0)
        return STATUS_OK;
    if (trial->operations > check_exact_operations)
        return check_large(trial, findings);
    check_exact(trial, all_lines(p->m), all_lines(p->n), false, findings);
    return STATUS_OK;
}

/* ---- all products --------------------------------------------------------------------------------------------- */

/* What the check found in all products. */
struct outcome {
    struct findings findings;
    bool exact;     /* in every product */
    size_t padding; /* the first stored row of C, of all products, behind which a gap was changed; SIZE_MAX: none */
    enum status status;
};

static const void *matrix_at(const void *data, size_t index, size_t step, enum element_type type)
{
    return data ? (const char *)data + index * step * element_info(type)->bytes : NULL;
}

/* The trial of one product of the batch. */
static struct trial trial_at(const struct trial *batch, size_t index)
{
    const struct product *p = &batch->product;
    struct trial one = *batch;
    one.product.batch = 1;
    one.product.a = matrix_at(p->a, index, p->step_a, p->type);
    one.product.b = matrix_at(p->b, index, p->step_b, p->type);
    one.before = matrix_at(batch->before, index, p->step_c, p->result);
    one.after = matrix_at(batch->after, index, p->step_c, p->result);
    return one;
}

static void check_product(const struct trial *batch, size_t index, struct outcome *outcome)
{
    struct trial trial = trial_at(batch, index);
    *outcome = (struct outcome){.status = check_ranges(&trial, &trial.ranges)};
    check_find_units(&trial);
    if (outcome->status == STATUS_OK)
        outcome->status = judge(&trial, &outcome->findings);
    check_ranges_free(&trial.ranges);
    outcome->exact = trial.exact && !(rounds_results(&trial.product) && trial.operations > check_exact_operations);
    outcome->findings.first_product = outcome->findings.worst_product = index;
}

static void merge(struct outcome *all, const struct outcome *one)
{
    check_merge(&all->findings, &one->findings);
    all->exact &= one->exact;
    all->status = all->status == STATUS_OK ? one->status : all->status;
}

/* Many products are each one thread's; few share the threads one after the other. */
static void check_products(const struct trial *batch, struct outcome *all)
{
    const size_t count = batch->product.batch;
    const bool many = count > 1 && count >= (size_t)omp_get_max_threads();
    for (size_t i = 0; !many && i < count; i++) {
        struct outcome one;
        check_product(batch, i, &one);
        merge(all, &one);
    }
    if (!many)
        return;
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < count; i++) {
        struct outcome one;
        check_product(batch, i, &one);
#pragma omp critical(matmul_check_products)
        merge(all, &one);
    }
}

/* ---- the verdict ---------------------------------------------------------------------------------------------- */

/* An output that consists of one repeated byte was poisoned and never written. */
static bool untouched(const struct trial *batch, size_t bytes)
{
    const unsigned char *data = batch->after;
    return bytes > 1 && memcmp(data, data + 1, bytes - 1) == 0;
}

/* "[row][col]", "row [row]" or "column [col]"; in a batch "[product][row][col]", "row [product][row]" or
 * "column [product][*][col]". */
static void write_place(char *text, size_t size, const struct trial *batch, size_t product, size_t row, size_t col)
{
    char first[32] = "";
    if (batch->product.batch > 1)
        snprintf(first, sizeof first, "[%zu]", product);
    if (row == SIZE_MAX)
        snprintf(text, size, "column %s%s[%zu]", first, first[0] ? "[*]" : "", col);
    else if (col == SIZE_MAX)
        snprintf(text, size, "row %s[%zu]", first, row);
    else
        snprintf(text, size, "%s[%zu][%zu]", first, row, col);
}

/* A NaN that a processor makes of numbers; poison and what follows from it have other bits. */
static bool is_made_nan(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return (bits & INT64_MAX) == UINT64_C(0x7ff8000000000000);
}

/* What a wrong number may come from: the formula alpha·A·B + beta·C as it stands makes 0·NaN of what it must not read.
 */
static const char *guess_cause(const struct trial *batch, size_t bytes, double actual)
{
    const struct product *p = &batch->product;
    if (is_made_nan(actual))
        return N_(": NaN was computed, as infinity - infinity or 0 * infinity");
    if (isnan(actual) && p->beta == 0)
        return N_(": the output was not written, or C was read; with beta=0 C has no value, as in BLAS");
    if (isnan(actual) && p->alpha == 0)
        return N_(": with alpha=0 A and B are not read, as in BLAS");
    return untouched(batch, bytes) ? N_(": the output was never written") : "";
}

static void describe_wrong(const struct trial *batch, size_t bytes, const struct findings *findings,
                           struct check_result *result)
{
    char place[96];
    bool located = findings->first_row != SIZE_MAX && findings->first_col != SIZE_MAX;
    write_place(place, sizeof place, batch, findings->first_product, findings->first_row, findings->first_col);
    if (located)
        explain(result->reason, sizeof result->reason,
                "%s: expected %.9g ± %.2g, got %.9g (%zu of %zu compared are wrong)%s", place, findings->first_expected,
                findings->first_allowed, findings->first_actual, findings->wrong, findings->compared,
                guess_cause(batch, bytes, findings->first_actual));
    else
        explain(result->reason, sizeof result->reason, "%s disagrees with products with random vectors", place);
}

static void report(const struct trial *batch, size_t bytes, const struct outcome *outcome, struct check_result *result)
{
    const struct findings *findings = &outcome->findings;
    const size_t m = batch->product.m;
    *result = (struct check_result){.worst = findings->worst, .exact = outcome->exact};
    if (findings->worst > 0)
        write_place(result->where, sizeof result->where, batch, findings->worst_product, findings->worst_row,
                    findings->worst_col);
    if (findings->wrong > 0)
        describe_wrong(batch, bytes, findings, result);
    else if (outcome->padding != SIZE_MAX) {
        write_place(result->where, sizeof result->where, batch, outcome->padding / m, outcome->padding % m, SIZE_MAX);
        explain(result->reason, sizeof result->reason, "the padding behind row %zu of C was changed", outcome->padding);
    } else if (check_looks_like_tf32(findings))
        explain(result->reason, sizeof result->reason,
                "the errors are those of inputs rounded to tf32, not those of float arithmetic");
    result->passed = result->reason[0] == '\0';
}

/* Whether roundings may all have one direction: structured inputs are integers in few patterns, and a factor is no
 * integer. */
static bool rounds_alike(const struct problem *problem, const struct product *p)
{
    return problem_is_structured(problem) && (trunc(p->alpha) != p->alpha || trunc(p->beta) != p->beta);
}

void matmul_check(const struct problem *problem, const struct array *arrays, struct host_arrays input,
                  struct host_arrays output, struct check_result *result)
{
    struct trial batch = {
        .product = product_of(problem, input.data[0], input.data[1], NULL),
        .before = arrays[2].direction == ARRAY_OUT ? NULL : input.data[2],
        .after = output.data[2],
        .own_data = result->own_data,
    };
    const struct product *p = &batch.product;
    batch.own_data |= rounds_alike(problem, p);
    struct outcome outcome = {.exact = p->m > 0 && p->n > 0, .padding = SIZE_MAX, .status = STATUS_OK};
    batch.operations = 2 * (double)p->batch * (double)p->m * (double)p->n * (double)product_depth(p);
    const struct layout layout = product_layout(p, 2);
    if (p->m > 0 && p->n > 0)
        check_products(&batch, &outcome);
    if (p->m > 0 && p->n > 0 && batch.before)
        outcome.padding = layout_changed_gap(&layout, batch.before, batch.after, element_info(p->result)->bytes);
    report(&batch, arrays[2].bytes, &outcome, result);
    if (outcome.status != STATUS_OK)
        check_unfinished(result);
}
