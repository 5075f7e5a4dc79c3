/* Products without any rounding, in every order: exactly one C is right.
 *
 * If all elements are integers times a power of two, C·x = alpha·A·(B·x) + beta·C₀·x is tested in integers modulo 2^64
 * for vectors x of random words (R. Freivalds, 1977). The test needs only products of matrices and vectors.
 *
 * Let all differences in a wrong row of C be multiples of 2^t, and one of them not of 2^(t+1). The row passes one
 * vector with the probability 2^(t-64). Differences are below 2^25 (floats) or 2^54 (doubles). With VECTORS vectors the
 * probability of missing an error is at most 2^-156 for floats and 2^-40 for doubles. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "base/float_parts.h"
#include "base/random.h"
#include "base/worth_threads.h"
#include "kernels/matmul/check.h"

#define VECTORS 4
#define BLOCK 4096 /* depths whose magnitudes are added together */

/* ---- units ---------------------------------------------------------------------------------------------------- */

/* The largest power of two that divides all numbers seen, and the largest magnitude; unit is INT_MAX while all are
 * 0. */
struct span {
    int unit;
    double largest;
    bool special; /* NaN or infinity was seen */
};

static void note(struct span *span, double value)
{
    int exponent;
    uint64_t mantissa = float_parts(value, &exponent);
    span->special |= !isfinite(value);
    if (mantissa == 0)
        return;
    int unit = exponent + __builtin_ctzll(mantissa);
    span->unit = unit < span->unit ? unit : span->unit;
    span->largest = fmax(span->largest, fabs(value));
}

static int digits_of(enum element_type type)
{
    return type == ELEMENT_F64 ? 53 : 24; /* of sums */
}

/* Whether the inputs cannot be exact: for random numbers, a few elements show that. */
static bool is_hopeless(const struct span *span, enum element_type type)
{
    return span->special || (span->largest > 0 && span->largest >= ldexp(1, span->unit + digits_of(type)));
}

/* A stored matrix, one of whose sides is the depth. */
struct operand {
    const void *data;
    enum element_type type;
    size_t lines, stride;
    bool depth_is_row;
};

static inline double operand_at(const struct operand *o, size_t line, size_t k)
{
    return element_at(o->data, o->type, o->depth_is_row ? k * o->stride + line : line * o->stride + k);
}

/* Finds the largest magnitude at each depth from `from` on. */
static void look(const struct operand *o, size_t from, size_t count, double largest[BLOCK], struct span *span)
{
    for (size_t k = 0; k < count; k++)
        largest[k] = 0;
    for (size_t outer = 0; outer < (o->depth_is_row ? count : o->lines) && !is_hopeless(span, o->type); outer++)
        for (size_t inner = 0; inner < (o->depth_is_row ? o->lines : count); inner++) {
            size_t k = o->depth_is_row ? outer : inner, line = o->depth_is_row ? inner : outer;
            double value = operand_at(o, line, from + k);
            note(span, value);
            largest[k] = fmax(largest[k], fabs(value));
        }
}

static struct operand operand_a(const struct product *p)
{
    return (struct operand){p->a, p->type, p->m, p->lda, p->transa};
}

static struct operand operand_b(const struct product *p)
{
    return (struct operand){p->b, p->type, p->n, p->ldb, !p->transb};
}

/* An upper bound of Σ|a b| of every element: the sum over the depths of A's largest magnitude times B's. */
static double look_at_product(const struct product *p, struct span *a, struct span *b)
{
    double largest_a[BLOCK], largest_b[BLOCK], sum = 0;
    struct operand left = operand_a(p), right = operand_b(p);
    size_t depth = product_depth(p);
    for (size_t from = 0; from < depth && !is_hopeless(a, p->type) && !is_hopeless(b, p->type); from += BLOCK) {
        size_t count = depth - from < BLOCK ? depth - from : BLOCK;
        look(&left, from, count, largest_a, a);
        look(&right, from, count, largest_b, b);
        for (size_t k = 0; k < count; k++)
            sum += largest_a[k] * largest_b[k];
    }
    return sum;
}

static void look_at_old(const struct trial *trial, struct span *old)
{
    const struct product *p = &trial->product;
    for (size_t row = 0; p->beta != 0 && row < p->m && !is_hopeless(old, p->type); row++)
        for (size_t col = 0; col < p->n; col++)
            note(old, element_at(trial->before, p->result, row * p->ldc + col));
}

static int unit_of(double factor)
{
    struct span span = {.unit = INT_MAX};
    note(&span, factor);
    return span.unit == INT_MAX ? 0 : span.unit;
}

/* Factor 63/64: some rungs split a number into parts whose magnitudes may add up to slightly more than the number. */
void check_find_units(struct trial *trial)
{
    const struct product *p = &trial->product;
    struct span a = {.unit = INT_MAX}, b = a, old = a;
    double sum = look_at_product(p, &a, &b) * fabs(p->alpha);
    look_at_old(trial, &old);
    trial->exact = false;
    if (is_hopeless(&a, p->type) || is_hopeless(&b, p->type) || is_hopeless(&old, p->type))
        return;
    bool has_a = a.unit != INT_MAX, has_b = b.unit != INT_MAX, has_old = old.unit != INT_MAX;
    struct observations units = {.a = has_a ? a.unit : 0,
                                 .b = has_b ? b.unit : 0,
                                 .old = has_old ? old.unit : 0,
                                 .alpha = unit_of(p->alpha),
                                 .beta = unit_of(p->beta)};
    int product_unit = has_a && has_b ? units.alpha + units.a + units.b : INT_MAX;
    int old_unit = has_old ? units.beta + units.old : INT_MAX;
    units.result = product_unit < old_unit ? product_unit : old_unit;
    units.result = units.result == INT_MAX ? 0 : units.result;
    double total = sum + (has_old ? fabs(p->beta) * old.largest : 0);
    bool in_range = units.result >= (p->type == ELEMENT_F64 ? -1074 : -149) &&
                    total < (p->type == ELEMENT_F64 ? 0x1p1022 : 0x1p127);
    trial->exact = in_range && total <= ldexp(63. / 64, digits_of(p->type) + units.result);
    trial->units = units;
}

/* ---- integers modulo 2^64 ------------------------------------------------------------------------------------- */

struct words {
    uint64_t of[VECTORS];
};

static uint64_t integer_of(double value, int unit)
{
    return (uint64_t)(int64_t)ldexp(value, -unit);
}

static void add(struct words *sum, uint64_t factor, const struct words *x)
{
    for (int v = 0; v < VECTORS; v++)
        sum->of[v] += factor * x->of[v];
}

/* result = S·x, S being lines × depth. */
static void multiply_lines(const struct operand *s, size_t depth, int unit, const struct words *x, struct words *result)
{
#pragma omp parallel for schedule(static) if (is_worth_threads(s->lines * depth))
    for (size_t line = 0; line < s->lines; line++) {
        struct words sum = {{0}};
        for (size_t k = 0; k < depth; k++)
            add(&sum, integer_of(operand_at(s, line, k), unit), &x[k]);
        result[line] = sum;
    }
}

/* result = x·S: a sum over the lines for each depth. */
static void multiply_depths(const struct operand *s, size_t depth, int unit, const struct words *x,
                            struct words *result)
{
#pragma omp parallel for schedule(static) if (is_worth_threads(s->lines * depth))
    for (size_t k = 0; k < depth; k++) {
        struct words sum = {{0}};
        for (size_t line = 0; line < s->lines; line++)
            add(&sum, integer_of(operand_at(s, line, k), unit), &x[line]);
        result[k] = sum;
    }
}

/* Whether the row equals C: all its elements are multiples of the unit and fit a mantissa, and their product with the
 * vectors is `right`. */
static bool agrees(const struct trial *trial, size_t row, const struct words *x, const struct words *right)
{
    const struct product *p = &trial->product;
    struct words sum = {{0}};
    double most = ldexp(1, digits_of(p->type));
    for (size_t col = 0; col < p->n; col++) {
        double value = ldexp(element_at(trial->after, p->result, row * p->ldc + col), -trial->units.result);
        if (!(fabs(value) <= most) || value != (double)(int64_t)value)
            return false;
        add(&sum, (uint64_t)(int64_t)value, &x[col]);
    }
    for (int v = 0; v < VECTORS; v++)
        if (sum.of[v] != right->of[v])
            return false;
    return true;
}

/* A factor of terms in this unit, in units of the result. A unit without terms is ignored. */
static uint64_t factor_of(double factor, int unit, int other, int result)
{
    int shift = unit + other - result;
    return integer_of(factor, unit) << (shift > 0 && shift < 64 ? shift : 0);
}

static void expect_row(const struct trial *trial, size_t row, const struct words *x, struct words *product)
{
    const struct product *p = &trial->product;
    const struct observations *units = &trial->units;
    uint64_t alpha = factor_of(p->alpha, units->alpha, units->a + units->b, units->result);
    uint64_t beta = factor_of(p->beta, units->beta, units->old, units->result);
    for (int v = 0; v < VECTORS; v++)
        product->of[v] *= alpha;
    for (size_t col = 0; p->beta != 0 && col < p->n; col++)
        add(product, beta * integer_of(element_at(trial->before, p->result, row * p->ldc + col), units->old), &x[col]);
}

static size_t first_wrong_row(const struct trial *trial, struct words *x, struct words *inner, struct words *product)
{
    const struct product *p = &trial->product;
    struct operand a = operand_a(p), b = operand_b(p);
    size_t depth = product_depth(p), first = p->m;
    for (size_t col = 0; col < p->n; col++)
        for (int v = 0; v < VECTORS; v++)
            x[col].of[v] = random_word(0xF4E1, col * VECTORS + (size_t)v);
    multiply_depths(&b, depth, trial->units.b, x, inner);
    multiply_lines(&a, depth, trial->units.a, inner, product);
#pragma omp parallel for schedule(static) reduction(min : first) if (is_worth_threads(p->m * p->n))
    for (size_t row = 0; row < p->m; row++) {
        expect_row(trial, row, x, &product[row]);
        if (!agrees(trial, row, x, &product[row]) && row < first)
            first = row;
    }
    return first;
}

enum status check_integers(const struct trial *trial, size_t *row)
{
    const struct product *p = &trial->product;
    struct words *x = calloc(p->n, sizeof *x), *inner = calloc(product_depth(p) + 1, sizeof *inner);
    struct words *product = calloc(p->m, sizeof *product);
    bool memory = x && inner && product;
    if (memory)
        *row = first_wrong_row(trial, x, inner, product);
    free(x);
    free(inner);
    free(product);
    return memory ? STATUS_OK : STATUS_UNAVAILABLE;
}
