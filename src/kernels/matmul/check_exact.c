/* Compares every element with a product in double, in blocks.
 *
 * tolerance.c defines the allowed error, with Q = Σ(a b)² and c = Σ a b computed in double for each element. Rows and
 * columns whose squares would leave a double are divided by a power of two first. If Σ|a b| ≤ sqrt(K·Q) exceeds the
 * type's range, partial sums may overflow in one order and not in another. Infinity and NaN may then be right, too
 * (check_range.c). If nothing is rounded (check_integers.c), the product in double is exact, and an element must be
 * equal.
 *
 * Rounding the inputs to tf32 causes an error of 2.9e-4·sqrt(Q). For inputs with both signs, where |c| ≤ sqrt(Q), that
 * exceeds the tolerance by a factor of 660/sqrt(K); the worst of many elements exceeds it five times as far. If all
 * terms have one sign, c² is about K·Q. For K beyond some ten thousand, a float product may then have errors as large
 * as those of tf32. The signature distinguishes the two: it compares errors one by one. */
#include <math.h>
#include <string.h>

#include "base/size.h"
#include "base/worth_threads.h"
#include "kernels/matmul/check.h"
#include "kernels/matmul/check_loops.h"

#define BLOCK CHECK_BLOCK

struct block {
    size_t row_count, col_count, depth;
    size_t rows[BLOCK], cols[BLOCK];
    int row_scale[BLOCK], col_scale[BLOCK]; /* exponents of the powers of two that divide them: nearly always 0 */
    struct check_pieces exact __attribute__((aligned(64))), tf32; /* vectors are then within cache lines */
    check_block sum, squares, tf32_sum;
};

/* ---- gathering ------------------------------------------------------------------------------------------------ */

static double scaled(double value, int exponent)
{
    return exponent ? ldexp(value, exponent) : value;
}

/* Some lines (rows of op(A) or columns of op(B)) of a stored matrix. */
struct operand {
    const void *data;
    enum element_type type;
    size_t stride, count;
    const size_t *lines;
    const int *scale;
    bool depth_is_row;
};

/* The lines' elements at one depth, as doubles. Those of the next piece are fetched meanwhile: they are in other pages,
 * and too few for a processor to foresee. */
static void take_depth(const struct operand *o, size_t depth, double numbers[BLOCK])
{
    const size_t bytes = element_info(o->type)->bytes, next = (depth + CHECK_DEPTH) * o->stride + o->lines[0];
    if (o->lines[o->count - 1] - o->lines[0] == o->count - 1) {
        check_loops()->widen(o->type, o->data, depth * o->stride + o->lines[0], o->count, numbers);
        for (size_t i = 0; i < o->count; i += 64 / bytes)
            __builtin_prefetch((const void *)((uintptr_t)o->data + (next + i) * bytes));
    } else
        for (size_t i = 0; i < o->count; i++)
            numbers[i] = element_at(o->data, o->type, depth * o->stride + o->lines[i]);
}

/* Elements at `count` depths from `depth` on; a line's is at line * line_step + depth * depth_step. */
static void gather(const struct operand *o, size_t depth, size_t count, size_t line_step, size_t depth_step,
                   double *out)
{
    double numbers[BLOCK];
    for (size_t k = 0; o->depth_is_row && k < count; k++) {
        take_depth(o, depth + k, numbers);
        for (size_t i = 0; i < o->count; i++)
            out[i * line_step + k * depth_step] = numbers[i];
    }
    for (size_t i = 0; !o->depth_is_row && i < o->count; i++) {
        check_loops()->widen(o->type, o->data, o->lines[i] * o->stride + depth, count, numbers);
        for (size_t k = 0; k < count; k++)
            out[i * line_step + k * depth_step] = numbers[k];
    }
    for (size_t i = 0; i < o->count; i++)
        for (size_t k = 0; o->scale[i] != 0 && k < count; k++)
            out[i * line_step + k * depth_step] = ldexp(out[i * line_step + k * depth_step], -o->scale[i]);
}

static void gather_pieces(const struct product *p, struct block *block, size_t depth, size_t count)
{
    const struct operand a = {p->a, p->type, p->lda, block->row_count, block->rows, block->row_scale, p->transa};
    const struct operand b = {p->b, p->type, p->ldb, block->col_count, block->cols, block->col_scale, !p->transb};
    gather(&a, depth, count, CHECK_DEPTH, 1, block->exact.a[0]);
    gather(&b, depth, count, 1, BLOCK, block->exact.b[0]);
}

static void round_pieces(struct block *block, size_t count)
{
    for (size_t i = 0; i < block->row_count; i++)
        check_loops()->round_to_tf32(block->exact.a[i], count, block->tf32.a[i]);
    for (size_t k = 0; k < count; k++)
        check_loops()->round_to_tf32(block->exact.b[k], block->col_count, block->tf32.b[k]);
}

static void compute_block(const struct product *p, struct block *block, bool signature)
{
    const size_t rows = block->row_count, cols = block->col_count, depth = product_depth(p);
    const struct check_loops *loops = check_loops();
    for (size_t at = 0, count; at < depth; at += count) {
        count = size_least(CHECK_DEPTH, depth - at);
        gather_pieces(p, block, at, count);
        loops->multiply_pieces(&block->exact, rows, cols, count, block->sum, block->squares);
        if (!signature)
            continue;
        round_pieces(block, count);
        loops->multiply_pieces(&block->tf32, rows, cols, count, block->tf32_sum, NULL);
    }
    block->depth = depth;
}

/* ---- judging -------------------------------------------------------------------------------------------------- */

/* The expected value of an element, and its allowed error. */
struct expected {
    double value, allowed;
};

static double old_value(const struct trial *trial, const struct block *block, size_t i, size_t j)
{
    const struct product *p = &trial->product;
    return p->beta != 0 ? element_at(trial->before, p->result, block->rows[i] * p->ldc + block->cols[j]) : 0;
}

/* An exact sum as a result has it. */
static double rounded_result(const struct product *p, double value)
{
    double result;
    if (!rounds_results(p))
        return value;
    element_put(p->result, &result, 0, value);
    return element_number(p->result, &result, 0);
}

static struct expected expected_of(const struct trial *trial, const struct block *block, size_t i, size_t j)
{
    const struct product *p = &trial->product;
    double c = block->sum[i][j], q = block->squares[i][j];
    double old = p->beta != 0 ? p->beta * old_value(trial, block, i, j) : 0;
    int scale = block->row_scale[i] + block->col_scale[j];
    struct walk walk = {.terms = sqrt(q), .product = fabs(c), .old = fabs(old), .scale = scale, .elements = 1};
    walk.factor = fmax(trial->ranges.rows[block->rows[i]], trial->ranges.cols[block->cols[j]]);
    double value = (block->depth > 0 ? p->alpha * scaled(c, scale) : 0) + old;
    return (struct expected){
        .value = trial->exact ? rounded_result(p, value) : value,
        .allowed = trial->exact ? 0 : check_tolerance(trial, walk),
    };
}

/* Whether an infinite result may be the rounding of a sum near this one, which is beyond the result's type. */
static bool is_rounded_to_infinity(const struct product *p, double actual, struct expected expected)
{
    const double beyond = ldexp(2 - element_epsilon(p->result), beyond_exponent(p->result) - 1);
    return rounds_results(p) && isinf(actual) && isfinite(expected.value) &&
           signbit(actual) == signbit(expected.value) && fabs(expected.value) + expected.allowed >= beyond;
}

static bool may_overflow(const struct trial *trial, const struct block *block, size_t i, size_t j, double actual)
{
    double q = block->squares[i][j], old = old_value(trial, block, i, j);
    const bool is_finite = isfinite(q) && isfinite(old);
    return (!is_finite || check_may_overflow(trial, block->rows[i], sqrt((double)block->depth * q),
                                             block->row_scale[i] + block->col_scale[j], fabs(old))) &&
           check_overflow_is_right(trial, block->rows[i], block->cols[j], actual);
}

/* The error in units of the allowed error; where that is 0, the result is 0 or infinity. */
static double error_of(double actual, struct expected expected)
{
    double error = actual - expected.value;
    return error == 0 ? 0 : error / expected.allowed;
}

/* Where the old value hides the product, the error is that of leaving the product out, with one sign everywhere: a
 * rounding of the inputs cannot be seen there, and says nothing. */
static void add_signature(const struct trial *trial, const struct block *block, size_t i, size_t j, double error,
                          double expected, struct findings *findings)
{
    double rounding = trial->product.alpha * (block->tf32_sum[i][j] - block->sum[i][j]);
    const bool is_hidden = fabs(rounding) < unit_roundoff(trial->product.type) * fabs(expected);
    if (!isfinite(error) || !isfinite(rounding) || (is_hidden && trial->product.beta != 0))
        return;
    uint64_t bits;
    memcpy(&bits, &rounding, sizeof bits);
    bits = bits * UINT64_C(0x9e3779b97f4a7c15) >> 32;
    findings->seen[bits % CHECK_SEEN_BITS / 64] |= UINT64_C(1) << bits % 64;
    findings->rounded++;
    findings->error_error += error * error;
    findings->error_rounding += error * rounding;
    findings->rounding_rounding += rounding * rounding;
}

static void note(struct findings *findings, const struct comparison *comparison, size_t row, const size_t *cols)
{
    findings->compared += comparison->compared;
    if (comparison->worst > findings->worst) {
        findings->worst = comparison->worst;
        findings->worst_row = row;
        findings->worst_col = cols[comparison->worst_at];
    }
    findings->wrong += comparison->wrong;
}

/* Errors in units of the allowed error are compared with 0; NaN and infinities are compared directly. */
static void judge_row(const struct trial *trial, const struct block *block, size_t i, bool signature,
                      struct findings *findings)
{
    const struct product *p = &trial->product;
    double actual[BLOCK], right[BLOCK];
    for (size_t j = 0; j < block->col_count; j++) {
        struct expected expected = expected_of(trial, block, i, j);
        double value = element_at(trial->after, p->result, block->rows[i] * p->ldc + block->cols[j]);
        bool finite = isfinite(value) && isfinite(expected.value);
        bool overflowed =
            !isfinite(value) && (is_rounded_to_infinity(p, value, expected) || may_overflow(trial, block, i, j, value));
        actual[j] = overflowed ? 0 : finite ? error_of(value, expected) : value;
        right[j] = overflowed || finite ? 0 : expected.value;
        if (signature)
            add_signature(trial, block, i, j, value - expected.value, expected.value, findings);
    }
    struct comparison comparison;
    comparator_compare(ELEMENT_F64, actual, right, block->col_count, (struct tolerance){.absolute = 1}, &comparison);
    if (comparison.wrong > 0 && findings->wrong == 0) {
        size_t j = comparison.first_wrong;
        struct expected expected = expected_of(trial, block, i, j);
        findings->first_row = block->rows[i];
        findings->first_col = block->cols[j];
        findings->first_expected = expected.value;
        findings->first_allowed = expected.allowed;
        findings->first_actual = element_at(trial->after, p->result, block->rows[i] * p->ldc + block->cols[j]);
    }
    note(findings, &comparison, block->rows[i], block->cols);
}

/* Whether the first wrong element of `one` comes before that of `other`. */
static bool is_earlier(const struct findings *one, const struct findings *other)
{
    if (one->first_product != other->first_product)
        return one->first_product < other->first_product;
    if (one->first_row != other->first_row)
        return one->first_row < other->first_row;
    return one->first_col < other->first_col;
}

void check_merge(struct findings *all, const struct findings *one)
{
    if (one->wrong > 0 && (all->wrong == 0 || is_earlier(one, all))) {
        all->first_product = one->first_product;
        all->first_row = one->first_row;
        all->first_col = one->first_col;
        all->first_actual = one->first_actual;
        all->first_expected = one->first_expected;
        all->first_allowed = one->first_allowed;
    }
    if (one->worst > all->worst) {
        all->worst = one->worst;
        all->worst_product = one->worst_product;
        all->worst_row = one->worst_row;
        all->worst_col = one->worst_col;
    }
    all->compared += one->compared;
    all->wrong += one->wrong;
    all->rounded += one->rounded;
    all->error_error += one->error_error;
    all->error_rounding += one->error_rounding;
    all->rounding_rounding += one->rounding_rounding;
    for (size_t i = 0; i < COUNT_OF(all->seen); i++)
        all->seen[i] |= one->seen[i];
}

/* ---- all blocks ----------------------------------------------------------------------------------------------- */

static size_t take_lines(struct lines lines, size_t from, size_t taken[BLOCK])
{
    const size_t count = size_least(BLOCK, lines.count - from);
    for (size_t i = 0; i < count; i++)
        taken[i] = lines.index ? lines.index[from + i] : from + i;
    return count;
}

static void judge_block(const struct trial *trial, struct lines rows, size_t row, struct lines cols, size_t col,
                        bool signature, struct findings *findings)
{
    struct block block;
    memset(&block, 0, sizeof block);
    block.row_count = take_lines(rows, row, block.rows);
    block.col_count = take_lines(cols, col, block.cols);
    for (size_t i = 0; i < block.row_count; i++)
        block.row_scale[i] = check_scale(trial->ranges.rows[block.rows[i]]);
    for (size_t j = 0; j < block.col_count; j++)
        block.col_scale[j] = check_scale(trial->ranges.cols[block.cols[j]]);
    compute_block(&trial->product, &block, signature);
    for (size_t i = 0; i < block.row_count; i++)
        judge_row(trial, &block, i, signature, findings);
}

void check_exact(const struct trial *trial, struct lines rows, struct lines cols, bool signature,
                 struct findings *findings)
{
    size_t down = (rows.count + BLOCK - 1) / BLOCK, across = (cols.count + BLOCK - 1) / BLOCK;
#pragma omp parallel for collapse(2) \
    schedule(dynamic) if (is_worth_threads(rows.count * cols.count * product_depth(&trial->product)))
    for (size_t i = 0; i < down; i++)
        for (size_t j = 0; j < across; j++) {
            struct findings found = {.compared = 0};
            judge_block(trial, rows, i * BLOCK, cols, j * BLOCK, signature, &found);
#pragma omp critical(matmul_check)
            check_merge(findings, &found);
        }
}

/* How many elements have a rounding of their own. In a product of constant matrices all are equal, and their one error
 * may be like that of tf32 by chance. */
static double distinct_of(const struct findings *findings)
{
    double bits = 0;
    for (size_t i = 0; i < COUNT_OF(findings->seen); i++)
        bits += __builtin_popcountll(findings->seen[i]);
    return 2 * bits < CHECK_SEEN_BITS ? fmin(bits, (double)findings->rounded) : (double)findings->rounded;
}

/* The least-squares factor between the errors and those of tf32. It is 1 for tf32 (½ if one operand was rounded), and
 * otherwise 0 within chance: it never exceeds six of its standard deviations by chance. */
bool check_looks_like_tf32(const struct findings *findings)
{
    double factor = findings->error_rounding / findings->rounding_rounding;
    double deviation = sqrt(findings->error_error / findings->rounding_rounding / distinct_of(findings));
    return findings->rounding_rounding > 0 && factor > 0.25 && factor > 6 * deviation;
}
