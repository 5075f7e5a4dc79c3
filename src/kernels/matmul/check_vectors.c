/* Products that are too large to compute twice are multiplied by random vectors (R. Freivalds, Probabilistic Machines
 * Can Use Less Running Time, 1977). C·x must equal alpha·op(A)·(op(B)·x) + beta·C₀·x, and likewise xᵀ·C. The test needs
 * only products of matrices and vectors, in double.
 *
 * Each row of C·x sums n errors with random signs. Its error may be the square root of the sum of squares of its
 * elements' allowed errors (tolerance.c). Σ_j Q_ij is one more product of matrices and vectors, with all elements
 * squared; Σ_j c_ij² is known. The rounding of this check's own sums, of n and of K terms in double, is added.
 *
 * Undetected are errors in elements of one row *and* one column that stay below this bound. The bound is λ·u·sqrt(K·n)
 * times the row's typical element: 0.5 % of one element for K = n = 16384 (floats of both signs). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/worth_threads.h"
#include "kernels/matmul/check.h"

#define VECTORS 4
#define SUMS (VECTORS + 1) /* one with all elements squared is the last */
#define LARGEST 1.5        /* |x| is within 0.5 … 1.5 */

/* As many vectors as there are sums. */
struct vectors {
    double *of[SUMS];
};

/* A stored matrix. */
struct matrix {
    const void *data;
    enum element_type type;
    size_t rows, cols, stride;
};

/* ---- matrices times vectors ----------------------------------------------------------------------------------- */

static size_t chunk_from(const struct matrix *s, size_t from)
{
    return s->cols - from < CHECK_CHUNK ? s->cols - from : CHECK_CHUNK;
}

/* NaN and infinities count as 0. Rows and columns that may contain them are judged separately; in others they are
 * errors. */
static void finite_at(const struct matrix *s, size_t row, size_t from, size_t count, double *numbers)
{
    if (elements_at(s->data, s->type, row * s->stride + from, count, numbers))
        return;
    for (size_t i = 0; i < count; i++)
        numbers[i] = isfinite(numbers[i]) ? numbers[i] : 0;
}

static void square(double *numbers, size_t count)
{
#pragma omp simd
    for (size_t i = 0; i < count; i++)
        numbers[i] *= numbers[i];
}

static double inner_product(const double *a, const double *b, size_t count)
{
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

static void add_multiple(double *sums, const double *numbers, double factor, size_t count)
{
#pragma omp simd
    for (size_t i = 0; i < count; i++)
        sums[i] += numbers[i] * factor;
}

static void multiply_rows(const struct matrix *s, const struct vectors *x, const struct vectors *result)
{
#pragma omp parallel for schedule(static) if (is_worth_threads(s->rows * s->cols))
    for (size_t row = 0; row < s->rows; row++) {
        double sums[SUMS] = {0}, numbers[CHECK_CHUNK];
        for (size_t from = 0; from < s->cols; from += CHECK_CHUNK) {
            const size_t count = chunk_from(s, from);
            finite_at(s, row, from, count, numbers);
            for (int v = 0; v < SUMS; v++) {
                if (v == VECTORS)
                    square(numbers, count);
                sums[v] += inner_product(numbers, x->of[v] + from, count);
            }
        }
        for (int v = 0; v < SUMS; v++)
            result->of[v][row] = sums[v];
    }
}

static void multiply_columns(const struct matrix *s, const struct vectors *x, const struct vectors *result)
{
#pragma omp parallel for schedule(static) if (is_worth_threads(s->rows * s->cols))
    for (size_t from = 0; from < s->cols; from += CHECK_CHUNK) {
        double sums[SUMS][CHECK_CHUNK] = {{0}}, numbers[CHECK_CHUNK];
        const size_t count = chunk_from(s, from);
        for (size_t row = 0; row < s->rows; row++) {
            finite_at(s, row, from, count, numbers);
            for (int v = 0; v < SUMS; v++) {
                if (v == VECTORS)
                    square(numbers, count);
                add_multiple(sums[v], numbers, x->of[v][row], count);
            }
        }
        for (int v = 0; v < SUMS; v++)
            memcpy(result->of[v] + from, sums[v], count * sizeof *sums[v]);
    }
}

/* result = S·x, or Sᵀ·x. */
static void multiply(const struct matrix *s, bool transposed, const struct vectors *x, const struct vectors *result)
{
    (transposed ? multiply_columns : multiply_rows)(s, x, result);
}

/* ---- one side ------------------------------------------------------------------------------------------------- */

/* The test of one side: every row of C (`by_rows`), or every column. */
struct side {
    const struct trial *trial;
    bool by_rows;
    size_t lines, across;                 /* rows and columns of C, or columns and rows */
    const bool *skip, *out;               /* lines that are not judged, and elements to leave out across */
    struct vectors x;                     /* across */
    struct vectors inner;                 /* k */
    struct vectors expected, old, actual; /* lines */
};

static void fill_vectors(const struct side *side)
{
    for (size_t i = 0; i < side->across; i++)
        for (int v = 0; v < SUMS; v++) {
            uint64_t word = random_word(side->by_rows ? 0x51DE : 0xC0DE, i * SUMS + (size_t)v);
            double magnitude = 0.5 + (double)(word >> 11) * 0x1p-53;
            double value = v == VECTORS ? 1 : word & 1 ? -magnitude : magnitude;
            side->x.of[v][i] = side->out[i] ? 0 : value;
        }
}

static void compute_side(const struct side *side)
{
    const struct product *p = &side->trial->product;
    struct matrix a = {p->a, p->type, p->transa ? p->k : p->m, p->transa ? p->m : p->k, p->lda};
    struct matrix b = {p->b, p->type, p->transb ? p->n : p->k, p->transb ? p->k : p->n, p->ldb};
    struct matrix after = {side->trial->after, p->result, p->m, p->n, p->ldc};
    struct matrix before = {side->trial->before, p->result, p->m, p->n, p->ldc};
    if (side->by_rows) {
        multiply(&b, p->transb, &side->x, &side->inner);
        multiply(&a, p->transa, &side->inner, &side->expected);
    } else {
        multiply(&a, !p->transa, &side->x, &side->inner);
        multiply(&b, !p->transb, &side->inner, &side->expected);
    }
    multiply(&after, !side->by_rows, &side->x, &side->actual);
    if (p->beta != 0)
        multiply(&before, !side->by_rows, &side->x, &side->old);
}

/* The allowed error of one element of C·x: its elements' errors, and the rounding of this check's own sums in
 * double. */
static double allowed_in(const struct side *side, size_t line)
{
    const struct product *p = &side->trial->product;
    double own = 0x1p-53, depth = (double)p->k, across = (double)side->across, alpha = fabs(p->alpha);
    double old = fabs(p->beta) * sqrt(side->old.of[VECTORS][line]);
    double terms = sqrt(side->expected.of[VECTORS][line]);
    double results = sqrt(2 * (side->actual.of[VECTORS][line] + old * old)); /* at least sqrt(Σ(alpha·c)²) */
    struct walk walk = {
        .terms = terms, .product = p->alpha != 0 ? results / alpha : 0, .old = old, .elements = side->across};
    walk.factor = side->trial->ranges.largest;
    double sums = CHECK_MARGIN * own * sqrt(depth + across) * sqrt(alpha * terms * (alpha * terms) + results * results);
    return LARGEST * (check_tolerance(side->trial, walk) + sums);
}

/* Returns whether the line agrees, and its worst error in units of the allowed error. An infinite square belongs to a
 * wrong element: lines where infinity could be right are judged separately. */
static bool judge_line(const struct side *side, size_t line, double *worst)
{
    const struct product *p = &side->trial->product;
    double scaled[VECTORS], zeros[VECTORS] = {0}, allowed = allowed_in(side, line);
    for (int v = 0; v < VECTORS; v++) {
        double right = p->alpha * side->expected.of[v][line] + p->beta * side->old.of[v][line];
        scaled[v] = (side->actual.of[v][line] - right) / allowed;
    }
    struct comparison comparison;
    comparator_compare(ELEMENT_F64, scaled, zeros, VECTORS, (struct tolerance){.absolute = 1}, &comparison);
    *worst = isfinite(allowed) ? comparison.worst : (double)INFINITY;
    return comparison.wrong == 0 && isfinite(allowed);
}

/* The first line that does not agree; side->lines if all agree. */
static size_t judge_side(const struct side *side, struct findings *findings)
{
    for (size_t line = 0; line < side->lines; line++) {
        double worst;
        if (side->skip[line])
            continue;
        bool agrees = judge_line(side, line, &worst);
        if (worst > findings->worst) {
            findings->worst = worst;
            findings->worst_row = side->by_rows ? line : 0;
            findings->worst_col = side->by_rows ? 0 : line;
        }
        if (!agrees)
            return line;
    }
    return side->lines;
}

/* ---- both sides ----------------------------------------------------------------------------------------------- */

/* Zeros, in one piece; the first of the vectors owns it. */
static bool allocate(struct vectors *vectors, size_t count)
{
    double *all = calloc(SUMS * count, sizeof *all);
    for (size_t v = 0; v < SUMS; v++)
        vectors->of[v] = all ? all + v * count : NULL;
    return all != NULL;
}

static enum status run_side(struct side *side, size_t *line, struct findings *findings)
{
    const size_t k = side->trial->product.k;
    const bool x = allocate(&side->x, side->across), inner = allocate(&side->inner, k ? k : 1);
    const bool expected = allocate(&side->expected, side->lines), old = allocate(&side->old, side->lines);
    const bool memory = allocate(&side->actual, side->lines) && x && inner && expected && old;
    if (memory) {
        fill_vectors(side);
        compute_side(side);
        *line = judge_side(side, findings);
    }
    free(side->x.of[0]);
    free(side->inner.of[0]);
    free(side->expected.of[0]);
    free(side->old.of[0]);
    free(side->actual.of[0]);
    return memory ? STATUS_OK : STATUS_UNAVAILABLE;
}

/* Counts NaN and infinities in places where a finite number is expected. */
static void count_special(const struct trial *trial, const bool *skip_row, const bool *skip_col,
                          struct findings *findings)
{
    const struct product *p = &trial->product;
    size_t wrong = 0, first = SIZE_MAX;
#pragma omp parallel for schedule(static) reduction(+ : wrong) reduction(min : first) if (is_worth_threads(p->m * p->n))
    for (size_t row = 0; row < p->m; row++)
        for (size_t from = 0; from < p->n && !skip_row[row]; from += CHECK_CHUNK) {
            const size_t count = p->n - from < CHECK_CHUNK ? p->n - from : CHECK_CHUNK;
            double numbers[CHECK_CHUNK];
            const bool finite = elements_at(trial->after, p->result, row * p->ldc + from, count, numbers);
            for (size_t col = from; !finite && col < from + count; col++)
                if (!skip_col[col] && !isfinite(numbers[col - from])) {
                    wrong++;
                    first = row * p->n + col < first ? row * p->n + col : first;
                }
        }
    if (wrong == 0)
        return;
    findings->wrong += wrong;
    findings->worst = (double)INFINITY;
    findings->worst_row = first / p->n;
    findings->worst_col = first % p->n;
}

enum status check_vectors(const struct trial *trial, const bool *skip_row, const bool *skip_col, bool *agree,
                          size_t *line, bool *is_row, struct findings *findings)
{
    const struct product *p = &trial->product;
    struct side rows = {
        .trial = trial, .by_rows = true, .lines = p->m, .across = p->n, .skip = skip_row, .out = skip_col};
    struct side cols = {.trial = trial, .lines = p->n, .across = p->m, .skip = skip_col, .out = skip_row};
    count_special(trial, skip_row, skip_col, findings);
    *agree = findings->wrong == 0;
    *is_row = true;
    *line = findings->worst_row;
    if (!*agree)
        return STATUS_OK;
    enum status status = run_side(&rows, line, findings);
    *agree = *line == p->m;
    if (status != STATUS_OK || !*agree)
        return status;
    *is_row = false;
    status = run_side(&cols, line, findings);
    *agree = *line == p->n;
    return status;
}
