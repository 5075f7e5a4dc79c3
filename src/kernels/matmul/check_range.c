/* The range of the inputs: whether the check's squares fit a double, and the product its type. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/worth_threads.h"
#include "kernels/matmul/check.h"
#include "kernels/matmul/check_loops.h"

/* Magnitudes within 2^-200 … 2^200 are not scaled: the squares of their products, and sums of these, fit a double. */
#define PLAIN_EXPONENT 200

/* Of a part of a matrix; there are at least as many columns. */
#define PART_ROWS 64
#define PART_COLS 4096

/* Raises each row's (or column's) `largest` to the largest finite magnitude in some of its elements: those of a part.
 * Returns whether all of these are finite. */
static bool raise_part(const struct matrix *s, size_t row, size_t col, bool by_rows, double *largest)
{
    const struct check_loops *loops = check_loops();
    const size_t rows = size_least(PART_ROWS, s->rows - row), end = col + size_least(PART_COLS, s->cols - col);
    double part[PART_COLS] = {0}, numbers[CHECK_CHUNK];
    bool are_finite = true;
    for (size_t r = 0; r < rows; r++)
        for (size_t from = col, count; from < end; from += count) {
            count = check_chunk(from, end);
            are_finite &= check_widen_finite(loops, s->type, s->data, (row + r) * s->stride + from, count, numbers);
            if (by_rows)
                part[r] = fmax(part[r], loops->largest(numbers, count));
            else
                loops->raise_to(part + (from - col), numbers, count);
        }
#pragma omp critical(matmul_check_largest)
    loops->raise_to(largest + (by_rows ? row : col), part, by_rows ? rows : end - col);
    return are_finite;
}

/* Of all elements; `largest` is 0 before. */
static bool find_largest(struct matrix s, bool by_rows, double *largest)
{
    bool are_finite = true;
#pragma omp parallel for collapse(2) schedule(static) reduction(&& : are_finite) if (is_worth_threads(s.rows * s.cols))
    for (size_t row = 0; row < s.rows; row += PART_ROWS)
        for (size_t col = 0; col < s.cols; col += PART_COLS)
            are_finite = raise_part(&s, row, col, by_rows, largest) && are_finite;
    return are_finite;
}

enum status check_ranges(const struct trial *trial, struct ranges *ranges)
{
    const struct product *p = &trial->product;
    *ranges = (struct ranges){.rows = calloc(p->m, sizeof(double)),
                              .cols = calloc(p->n, sizeof(double)),
                              .old = calloc(p->m, sizeof(double))};
    if (!ranges->rows || !ranges->cols || !ranges->old)
        return STATUS_UNAVAILABLE;
    if (product_depth(p) > 0) {
        const bool a = find_largest(matrix_a(p), !p->transa, ranges->rows);
        const bool b = find_largest(matrix_b(p), p->transb, ranges->cols);
        ranges->are_special = !a || !b;
    }
    for (size_t row = 0; row < p->m; row++)
        ranges->largest = fmax(ranges->largest, ranges->rows[row]);
    for (size_t col = 0; col < p->n; col++)
        ranges->largest = fmax(ranges->largest, ranges->cols[col]);
    if (p->beta != 0)
        find_largest(matrix_c(p, trial->before), true, ranges->old);
    return STATUS_OK;
}

void check_ranges_free(struct ranges *ranges)
{
    free(ranges->rows);
    free(ranges->cols);
    free(ranges->old);
}

int check_scale(double largest)
{
    int exponent = largest > 0 ? ilogb(largest) : 0;
    return abs(exponent) > PLAIN_EXPONENT ? exponent : 0;
}

/* Whether `largest` times 2^exponent exceeds the largest number of the type's sums, or is so near that rounding may
 * exceed it. */
static bool is_beyond(double largest, double exponent, enum element_type type)
{
    return largest > 0 && log2(largest) + exponent > (type == ELEMENT_F64 ? DBL_MAX_EXP : FLT_MAX_EXP) - 0.01;
}

bool check_may_overflow(const struct trial *trial, size_t row, double terms, int exponent, double old)
{
    const struct product *p = &trial->product;
    double alpha = log2(fabs(p->alpha));
    return is_beyond(terms, exponent + fmax(alpha, 0) + (p->beta != 0), p->type) ||
           is_beyond(trial->ranges.rows[row], alpha, p->type) ||
           (p->beta != 0 && is_beyond(old, log2(fabs(p->beta)) + 1, p->type));
}

/* Sums of an element's positive terms and of its negative terms' magnitudes, divided by 2^exponent; of finite ones. */
struct signs {
    double plus, minus;
    int exponent;
    bool zero;         /* B has a factor of 0, with which an infinite alpha·a gives NaN */
    bool above, below; /* a term is infinite, of this sign */
    bool is_nan;       /* a term is NaN, in every order */
};

static void add_term(struct signs *signs, double term)
{
    signs->is_nan |= isnan(term);
    signs->above |= isinf(term) && term > 0;
    signs->below |= isinf(term) && term < 0;
    if (isfinite(term))
        *(term < 0 ? &signs->minus : &signs->plus) += fabs(term);
}

static struct signs signs_of(const struct trial *trial, size_t row, size_t col)
{
    const struct product *p = &trial->product;
    double largest_a = trial->ranges.rows[row], largest_b = trial->ranges.cols[col];
    int scale_a = largest_a > 0 ? ilogb(largest_a) : 0, scale_b = largest_b > 0 ? ilogb(largest_b) : 0;
    struct signs signs = {.exponent = scale_a + scale_b};
    for (size_t k = 0; k < product_depth(p); k++) {
        double a = element_at(p->a, p->type, p->transa ? k * p->lda + row : row * p->lda + k);
        double b = element_at(p->b, p->type, p->transb ? col * p->ldb + k : k * p->ldb + col);
        add_term(&signs, ldexp(a, -scale_a) * ldexp(b, -scale_b) * (p->alpha < 0 ? -1 : 1));
        signs.zero |= b == 0;
    }
    return signs;
}

/* A sum in which some order overflows upwards may meet -infinity afterwards, or before: it is NaN or -infinity. */
bool check_overflow_is_right(const struct trial *trial, size_t row, size_t col, double actual)
{
    const struct product *p = &trial->product;
    struct signs signs = signs_of(trial, row, col);
    double old = p->beta != 0 ? element_at(trial->before, p->result, row * p->ldc + col) : 0;
    double alpha = log2(fabs(p->alpha)), exponent = signs.exponent + fmax(alpha, 0) + (p->beta != 0);
    bool factor = is_beyond(trial->ranges.rows[row], alpha, p->type);
    bool old_minus = signbit(old) != signbit(p->beta);
    bool old_beyond = p->beta != 0 && isfinite(old) && is_beyond(fabs(old), log2(fabs(p->beta)) + 1, p->type);
    signs.is_nan |= isnan(old);
    signs.above |= isinf(old) && !old_minus;
    signs.below |= isinf(old) && old_minus;
    bool plus = signs.above || is_beyond(signs.plus, exponent, p->type) || (factor && signs.plus > 0) ||
                (old_beyond && !old_minus);
    bool minus = signs.below || is_beyond(signs.minus, exponent, p->type) || (factor && signs.minus > 0) ||
                 (old_beyond && old_minus);
    if (isnan(actual))
        return signs.is_nan || (plus && minus) || (factor && signs.zero);
    return !signs.is_nan && (actual > 0 ? plus && !signs.below : minus && !signs.above);
}

void check_mark_extremes(const struct trial *trial, bool *rows, bool *cols)
{
    const struct product *p = &trial->product;
    const struct ranges *ranges = &trial->ranges;
    double widest = 0;
    for (size_t col = 0; col < p->n; col++) {
        cols[col] |= check_scale(ranges->cols[col]) != 0;
        widest = fmax(widest, ranges->cols[col]);
    }
    int exponent = widest > 0 ? ilogb(widest) + 1 : 0;
    for (size_t row = 0; row < p->m; row++) {
        /* K terms, each at most the row's largest magnitude times the widest column's. */
        double terms = widest > 0 ? ranges->rows[row] : 0;
        rows[row] |= check_scale(ranges->rows[row]) != 0 || check_scale(ranges->old[row]) != 0 ||
                     check_may_overflow(trial, row, terms, exponent + ilogb((double)p->k + 1) + 1, ranges->old[row]);
    }
}
