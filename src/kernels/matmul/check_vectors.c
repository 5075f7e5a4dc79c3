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

#include "base/random.h"
#include "base/worth_threads.h"
#include "kernels/matmul/check.h"
#include "kernels/matmul/check_loops.h"
#include "kernels/matmul/check_products.h"

#define LARGEST 1.5 /* |x| is within 0.5 … 1.5 */

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
        for (int v = 0; v < CHECK_SUMS; v++) {
            uint64_t word = random_word(side->by_rows ? 0x51DE : 0xC0DE, i * CHECK_SUMS + (size_t)v);
            double magnitude = 0.5 + (double)(word >> 11) * 0x1p-53;
            double value = v == CHECK_VECTORS ? 1 : word & 1 ? -magnitude : magnitude;
            side->x.of[v][i] = side->out[i] ? 0 : value;
        }
}

/* S·x of a matrix op(S), and its transpose's: either may be not wanted (NULL). */
static bool multiply(const struct matrix *s, bool transposed, struct factor plain, struct factor turned,
                     bool *is_finite)
{
    return transposed ? check_multiply(s, turned, plain, is_finite) : check_multiply(s, plain, turned, is_finite);
}

/* Both sides, so that A and C are read once. Returns false when memory is out. `*is_finite`: all of C is finite. */
static bool compute_sides(const struct side *rows, const struct side *cols, bool *is_finite)
{
    const struct product *p = &rows->trial->product;
    const struct matrix a = matrix_a(p), b = matrix_b(p), after = matrix_c(p, rows->trial->after);
    const struct matrix before = matrix_c(p, rows->trial->before);
    const struct factor none = {NULL, NULL};
    *is_finite = true;
    return multiply(&b, p->transb, (struct factor){&rows->x, &rows->inner}, none, NULL) &&
           multiply(&a, p->transa, (struct factor){&rows->inner, &rows->expected},
                    (struct factor){&cols->x, &cols->inner}, NULL) &&
           multiply(&b, p->transb, none, (struct factor){&cols->inner, &cols->expected}, NULL) &&
           multiply(&after, false, (struct factor){&rows->x, &rows->actual}, (struct factor){&cols->x, &cols->actual},
                    is_finite) &&
           (p->beta == 0 || multiply(&before, false, (struct factor){&rows->x, &rows->old},
                                     (struct factor){&cols->x, &cols->old}, NULL));
}

/* The allowed error of one element of C·x: its elements' errors, and the rounding of this check's own sums in
 * double. */
static double allowed_in(const struct side *side, size_t line)
{
    const struct product *p = &side->trial->product;
    double own = 0x1p-53, depth = (double)p->k, across = (double)side->across, alpha = fabs(p->alpha);
    double old = fabs(p->beta) * sqrt(side->old.of[CHECK_VECTORS][line]);
    double terms = sqrt(side->expected.of[CHECK_VECTORS][line]);
    double results = sqrt(2 * (side->actual.of[CHECK_VECTORS][line] + old * old)); /* at least sqrt(Σ(alpha·c)²) */
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
    double scaled[CHECK_VECTORS], zeros[CHECK_VECTORS] = {0}, allowed = allowed_in(side, line);
    for (int v = 0; v < CHECK_VECTORS; v++) {
        double right = p->alpha * side->expected.of[v][line] + p->beta * side->old.of[v][line];
        scaled[v] = (side->actual.of[v][line] - right) / allowed;
    }
    struct comparison comparison;
    comparator_compare(ELEMENT_F64, scaled, zeros, CHECK_VECTORS, (struct tolerance){.absolute = 1}, &comparison);
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
    double *all = calloc(CHECK_SUMS * count, sizeof *all);
    for (size_t v = 0; v < CHECK_SUMS; v++)
        vectors->of[v] = all ? all + v * count : NULL;
    return all != NULL;
}

static bool open_side(struct side *side)
{
    const size_t k = side->trial->product.k;
    const bool x = allocate(&side->x, side->across), inner = allocate(&side->inner, k ? k : 1);
    const bool expected = allocate(&side->expected, side->lines), old = allocate(&side->old, side->lines);
    const bool memory = allocate(&side->actual, side->lines) && x && inner && expected && old;
    if (memory)
        fill_vectors(side);
    return memory;
}

static void close_side(struct side *side)
{
    free(side->x.of[0]);
    free(side->inner.of[0]);
    free(side->expected.of[0]);
    free(side->old.of[0]);
    free(side->actual.of[0]);
}

/* Counts NaN and infinities in places where a finite number is expected. */
static void count_special(const struct trial *trial, const bool *skip_row, const bool *skip_col,
                          struct findings *findings)
{
    const struct product *p = &trial->product;
    const struct check_loops *loops = check_loops();
    size_t wrong = 0, first = SIZE_MAX;
#pragma omp parallel for schedule(static) reduction(+ : wrong) reduction(min : first) if (is_worth_threads(p->m * p->n))
    for (size_t row = 0; row < p->m; row++)
        for (size_t from = 0, count; from < p->n && !skip_row[row]; from += count) {
            count = check_chunk(from, p->n);
            double numbers[CHECK_CHUNK];
            const bool finite = loops->widen(p->result, trial->after, row * p->ldc + from, count, numbers);
            for (size_t col = from; !finite && col < from + count; col++)
                if (!skip_col[col] && !isfinite(numbers[col - from])) {
                    wrong++;
                    first = size_least(first, row * p->n + col);
                }
        }
    if (wrong == 0)
        return;
    findings->wrong += wrong;
    findings->worst = (double)INFINITY;
    findings->worst_row = first / p->n;
    findings->worst_col = first % p->n;
}

/* Judges the rows first. */
static void judge_sides(const struct side *rows, const struct side *cols, bool *agree, size_t *line, bool *is_row,
                        struct findings *findings)
{
    *is_row = true;
    *line = judge_side(rows, findings);
    *agree = *line == rows->lines;
    if (!*agree)
        return;
    *is_row = false;
    *line = judge_side(cols, findings);
    *agree = *line == cols->lines;
}

enum status check_vectors(const struct trial *trial, const bool *skip_row, const bool *skip_col, bool *agree,
                          size_t *line, bool *is_row, struct findings *findings)
{
    const struct product *p = &trial->product;
    struct side rows = {
        .trial = trial, .by_rows = true, .lines = p->m, .across = p->n, .skip = skip_row, .out = skip_col};
    struct side cols = {.trial = trial, .lines = p->n, .across = p->m, .skip = skip_col, .out = skip_row};
    const bool has_rows = open_side(&rows), has_cols = open_side(&cols);
    bool is_finite;
    const bool memory = has_rows && has_cols && compute_sides(&rows, &cols, &is_finite);
    if (memory && !is_finite)
        count_special(trial, skip_row, skip_col, findings);
    *agree = findings->wrong == 0;
    *is_row = true;
    *line = findings->worst_row;
    if (memory && *agree)
        judge_sides(&rows, &cols, agree, line, is_row, findings);
    close_side(&rows);
    close_side(&cols);
    return memory ? STATUS_OK : STATUS_UNAVAILABLE;
}
