/* The check of a dot product. The reference is a sum of integers (base/exact_sum.h): nothing in it is rounded, and it
 * shares no code with a rung.
 *
 * How far off may a right result be? With terms x_i, their sum c, M = Σ|x_i| and u half of the last place
 * of the type of sums, which is float for elements of 16 bits, whose products it holds:
 *
 *   - by nothing, where all partial sums in every order are numbers of the type: all terms are multiples of one power
 * of two, and neither those above 0 nor those below add up to more than 2^24 (2^53) of it;
 *   - else by what the rung states, times M: but never by more than rounding errors make of random terms in the worst
 *     of all right ways, one accumulator of the elements' type:
 *
 *         u·(8·sqrt(n·(Q/2 + c²/3)) + 4·|c|) + |c|·min((n·u)²/16, 1/4)
 *
 *     The first part is a random walk along the partial sums (matmul/check_exact.c derives it), Q = max|x_i|·M standing
 *     for the sum of squares. The second is a drift: once the sum's last place is as large as the terms, terms of one
 *     sign are not rounded down as often as up. With n terms of a smooth distribution one accumulator loses about
 *     (n·u)²/45 of the sum; a quarter of it is never right.
 *   - and by 2^-149 (2^-1074) for each product that underflows gradually.
 *
 * Data that somebody brings need not be random: there the rung's statement, a worst case, is the only bound. */
#include "kernels/dot/check.h"

#include <limits.h>
#include <math.h>

#include "base/float_parts.h"
#include "base/message.h"

#define MARGIN 8.0
#define BLOCK 65536 /* terms that one thread takes at once */

/* ---- the terms ------------------------------------------------------------------------------------------------ */

static bool is_finite(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (bits >> 52 & 0x7ff) != 0x7ff;
}

static void note_special(struct dot_reference *reference, double a, double b)
{
    bool nan = isnan(a) || isnan(b) || a == 0 || b == 0;
    bool minus = !signbit(a) != !signbit(b);
    *(nan ? &reference->has_nan : minus ? &reference->has_minus_infinity : &reference->has_infinity) = true;
}

static void note_term(struct dot_reference *reference, double a, double b)
{
    int exponent_a, exponent_b;
    uint64_t mantissa_a = float_parts(a, &exponent_a), mantissa_b = float_parts(b, &exponent_b);
    if (mantissa_a == 0 || mantissa_b == 0)
        return;
    int low_a = __builtin_ctzll(mantissa_a), low_b = __builtin_ctzll(mantissa_b);
    int high_a = 64 - __builtin_clzll(mantissa_a), high_b = 64 - __builtin_clzll(mantissa_b);
    int unit = exponent_a + exponent_b + low_a + low_b, above = exponent_a + exponent_b + high_a + high_b;
    reference->unit = unit < reference->unit ? unit : reference->unit;
    reference->largest = above > reference->largest ? above : reference->largest;
    exact_sum_add_product(!signbit(a) != !signbit(b) ? &reference->minus : &reference->plus, a, b);
}

static const struct dot_reference no_terms = {.largest = INT_MIN, .unit = INT_MAX};

void dot_reference_add(struct dot_reference *all, struct dot_reference *part)
{
    all->count += part->count;
    exact_sum_add(&all->plus, &part->plus);
    exact_sum_add(&all->minus, &part->minus);
    all->unit = part->unit < all->unit ? part->unit : all->unit;
    all->largest = part->largest > all->largest ? part->largest : all->largest;
    all->has_nan |= part->has_nan;
    all->has_infinity |= part->has_infinity;
    all->has_minus_infinity |= part->has_minus_infinity;
}

/* ---- floats --------------------------------------------------------------------------------------------------- */

/* A double holds the product of two floats, or of elements of 16 bits, as it is, and is a normal number: 2^-298 …
 * 2^256. Products of one exponent are added up as integers of 53 bits, and reach the exact sum all together: it takes a
 * third of the time. */
enum { PRODUCT_LOWEST = 1023 - 298, PRODUCT_HIGHEST = 1023 + 256, BINS = PRODUCT_HIGHEST - PRODUCT_LOWEST + 1 };

__extension__ typedef unsigned __int128 wide;

struct bins {
    wide sums[2][BINS];    /* of mantissas: terms above 0, terms below */
    uint64_t digits[BINS]; /* all that occur in an exponent's mantissas */
    int largest;           /* biased exponents of both factors together */
};

static inline uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline void bin_term(struct bins *bins, double a, double b)
{
    uint64_t product = bits_of(a * b), mantissa = (product & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    int bin = (int)(product >> 52 & 0x7ff) - PRODUCT_LOWEST;
    int together = (int)(bits_of(a) >> 52 & 0x7ff) + (int)(bits_of(b) >> 52 & 0x7ff);
    if (bin < 0) /* a factor is 0 */
        return;
    bins->sums[product >> 63][bin] += mantissa;
    bins->digits[bin] |= mantissa;
    bins->largest = together > bins->largest ? together : bins->largest;
}

static void add_bins(struct dot_reference *reference, const struct bins *bins)
{
    for (int bin = 0; bin < BINS; bin++) {
        int exponent = bin + PRODUCT_LOWEST - 1075;
        if (!bins->digits[bin])
            continue;
        for (int minus = 0; minus < 2; minus++)
            for (int part = 0; part < 128; part += 32)
                exact_sum_add_product(minus ? &reference->minus : &reference->plus,
                                      (double)(uint32_t)(bins->sums[minus][bin] >> part), ldexp(1, exponent + part));
        int unit = exponent + __builtin_ctzll(bins->digits[bin]);
        reference->unit = unit < reference->unit ? unit : reference->unit;
    }
    if (bins->largest > 0)
        reference->largest = bins->largest - 2044; /* a double of biased exponent e is below 2^(e - 1022) */
}

/* ---- both ------------------------------------------------------------------------------------------------------- */

/* Inlined for floats, whose reading would take longer than the rest. */
static inline __attribute__((always_inline)) double number_at(enum element_type type, const void *data, size_t index)
{
    float number;
    if (type != ELEMENT_F32)
        return element_number(type, data, index);
    memcpy(&number, (const char *)data + index * sizeof number, sizeof number);
    return (double)number;
}

static inline __attribute__((always_inline)) void refer_block(enum element_type type, const void *a, const void *b,
                                                              size_t begin, size_t end, struct bins *bins,
                                                              struct dot_reference *part)
{
    for (size_t i = begin; i < end; i++) {
        double left = number_at(type, a, i), right = number_at(type, b, i);
        if (!is_finite(left) || !is_finite(right))
            note_special(part, left, right);
        else if (type != ELEMENT_F64)
            bin_term(bins, left, right);
        else
            note_term(part, left, right);
    }
}

void dot_refer(enum element_type type, const void *a, const void *b, size_t count, struct dot_reference *reference)
{
    struct dot_reference all = no_terms;
    size_t blocks = (count + BLOCK - 1) / BLOCK;
#pragma omp parallel if (blocks > 1)
    {
        struct dot_reference part = no_terms;
        struct bins bins = {.largest = 0};
#pragma omp for schedule(static)
        for (size_t block = 0; block < blocks; block++) {
            size_t begin = block * BLOCK, end = count - begin < BLOCK ? count : begin + BLOCK;
            if (type == ELEMENT_F32)
                refer_block(ELEMENT_F32, a, b, begin, end, &bins, &part);
            else
                refer_block(type, a, b, begin, end, &bins, &part);
        }
        add_bins(&part, &bins);
#pragma omp critical(dot_check)
        dot_reference_add(&all, &part);
    }
    *reference = all;
    reference->type = element_is_half(type) ? ELEMENT_F32 : type;
    reference->count = count;
}

/* ---- what is right -------------------------------------------------------------------------------------------- */

static bool is_float(const struct dot_reference *reference)
{
    return reference->type == ELEMENT_F32;
}

/* The sum of the magnitudes of all finite terms. */
static struct exact_sum magnitude_of(struct dot_reference *reference)
{
    struct exact_sum sum = reference->plus;
    exact_sum_add(&sum, &reference->minus);
    return sum;
}

/* Whether terms of one sign add up to more than the type holds, or so nearly that rounding may get there. */
static bool may_overflow(const struct dot_reference *reference, struct exact_sum *sum)
{
    struct exact_sum none = {.additions = 0};
    return exact_sum_difference(sum, &none, is_float(reference) ? 128 : 1024) > 0.99;
}

double dot_reference_value(struct dot_reference *reference)
{
    if (reference->has_nan || (reference->has_infinity && reference->has_minus_infinity))
        return (double)NAN;
    if (reference->has_infinity || reference->has_minus_infinity)
        return reference->has_infinity ? (double)INFINITY : -(double)INFINITY;
    return exact_sum_difference(&reference->plus, &reference->minus, 0);
}

bool dot_is_exact(struct dot_reference *reference)
{
    int digits = is_float(reference) ? 24 : 53, least = is_float(reference) ? -149 : -1074;
    int plus = exact_sum_exponent(&reference->plus), minus = exact_sum_exponent(&reference->minus);
    int top = plus > minus ? plus : minus;
    bool finite = !reference->has_nan && !reference->has_infinity && !reference->has_minus_infinity;
    if (!finite || top == INT_MIN)
        return finite;
    return reference->unit >= least && top < reference->unit + digits && !may_overflow(reference, &reference->plus) &&
           !may_overflow(reference, &reference->minus);
}

/* Of results that are no numbers. What is infinite may have come from finite terms, too: those above 0 may overflow to
 * one infinity, those below to the other, and NaN is the sum of both. */
static bool is_right_special(struct dot_reference *reference, double actual, bool may_compensate)
{
    double value = dot_reference_value(reference);
    bool plus = reference->has_infinity || may_overflow(reference, &reference->plus);
    bool minus = reference->has_minus_infinity || may_overflow(reference, &reference->minus);
    if (isnan(value))
        return isnan(actual);
    if (isnan(actual))
        return (plus && minus) || (may_compensate && (plus || minus));
    if (isinf(value) && (reference->has_infinity || reference->has_minus_infinity))
        return actual == value;
    return actual > 0 ? plus : minus;
}

/* The allowed error of a result, and its actual error, both divided by 2^scale. */
struct judgement {
    int scale;
    double magnitude, allowed, error;
};

/* The worst of all right ways with random terms. */
static double walk(const struct dot_reference *reference, double sum, double magnitude, int scale)
{
    double u = element_epsilon(reference->type), n = (double)reference->count;
    double squares = ldexp(1, reference->largest - scale) * magnitude, c = fabs(sum);
    double drift = fmin(n * u * (n * u) / 16, 0.25);
    return u * (MARGIN * sqrt(n * (squares / 2 + c * c / 3)) + 4 * c) + c * drift;
}

static double error_of(struct dot_reference *reference, double actual, int scale)
{
    struct exact_sum plus = reference->plus, minus = reference->minus;
    exact_sum_add_product(actual > 0 ? &minus : &plus, actual, 1);
    return fabs(exact_sum_difference(&plus, &minus, scale));
}

/* 2^-52: the result's own rounding to a double, and the rounding of `stated`. */
static struct judgement judge_number(struct dot_reference *reference, double actual, const struct check_result *result)
{
    struct exact_sum all = magnitude_of(reference), none = {.additions = 0};
    struct judgement judgement = {.scale = exact_sum_exponent(&all)};
    int scale = judgement.scale == INT_MIN ? 0 : judgement.scale;
    double sum = exact_sum_difference(&reference->plus, &reference->minus, scale), n = (double)reference->count;
    double stated = result->bound > 0 ? result->bound : n * element_epsilon(reference->type);
    judgement.scale = scale;
    judgement.magnitude = exact_sum_difference(&all, &none, scale);
    judgement.error = error_of(reference, actual, scale);
    if (dot_is_exact(reference))
        return judgement;
    double most = result->own_data ? (double)INFINITY : walk(reference, sum, judgement.magnitude, scale);
    judgement.allowed = fmin(stated * judgement.magnitude, most) + 0x1p-52 * judgement.magnitude +
                        (n + 1) * ldexp(1, (is_float(reference) ? -149 : -1074) - scale);
    return judgement;
}

/* ---- the verdict ---------------------------------------------------------------------------------------------- */

static void describe(struct dot_reference *reference, double actual, const struct judgement *judgement,
                     struct check_result *result)
{
    double value = dot_reference_value(reference);
    if (!judgement)
        explain(result->reason, sizeof result->reason, "expected %.17g, got %.17g", value, actual);
    else if (judgement->allowed == 0)
        explain(result->reason, sizeof result->reason,
                "expected %.17g, got %.17g; no order of these additions rounds anything", value, actual);
    else
        explain(result->reason, sizeof result->reason,
                "expected %.17g, got %.17g; the error is %.2g of the terms' magnitudes, where %.2g is allowed", value,
                actual, result->worst, judgement->allowed / judgement->magnitude);
}

void dot_judge(struct dot_reference *reference, double actual, struct check_result *result)
{
    bool special = reference->has_nan || reference->has_infinity || reference->has_minus_infinity;
    result->exact = false;
    if (special || !is_finite(actual)) {
        result->passed = is_right_special(reference, actual, result->is_users);
        result->worst = result->passed ? 0 : (double)INFINITY;
        if (!result->passed)
            describe(reference, actual, NULL, result);
        return;
    }
    struct judgement judgement = judge_number(reference, actual, result);
    result->exact = judgement.allowed == 0;
    result->passed = judgement.error <= judgement.allowed; /* false with NaN */
    result->worst = judgement.error > 0 ? judgement.error / judgement.magnitude : 0;
    if (!result->passed)
        describe(reference, actual, &judgement, result);
}

/* ---- sums of more precision -------------------------------------------------------------------------------------- */

static bool is_the_value(double value, double actual)
{
    if (isnan(value) || isnan(actual))
        return isnan(value) && isnan(actual);
    if (fabs(value) < 0x1p-1022)
        return fabs(actual - value) <= 0x1p-1074;
    return bits_of(value) == bits_of(actual);
}

static bool is_compensated(struct dot_reference *reference, double actual, double *error)
{
    struct exact_sum all = magnitude_of(reference), none = {.additions = 0};
    const int exponent = exact_sum_exponent(&all), scale = exponent == INT_MIN ? 0 : exponent;
    const double magnitude = exact_sum_difference(&all, &none, scale), n = (double)reference->count + 8;
    const double sum = fabs(exact_sum_difference(&reference->plus, &reference->minus, scale));
    const double allowed = 0x1.00001p-53 * sum + 2 * n * n * 0x1p-106 * magnitude + n * ldexp(1, -1074 - scale);
    const double off = error_of(reference, actual, scale);
    *error = off > 0 ? off / magnitude : 0;
    return off <= allowed;
}

void dot_judge_sum(struct dot_reference *reference, double actual, enum dot_sum sum, struct check_result *result)
{
    const double value = dot_reference_value(reference);
    if (sum == DOT_SUM_FAST || (sum == DOT_SUM_COMPENSATED && !(is_finite(value) && is_finite(actual)))) {
        dot_judge(reference, actual, result);
        return;
    }
    result->exact = sum == DOT_SUM_EXACT;
    result->worst = 0;
    result->passed = result->exact ? is_the_value(value, actual) : is_compensated(reference, actual, &result->worst);
    if (!result->passed && result->exact)
        explain(result->reason, sizeof result->reason, "expected %.17g, got %.17g; the sum is to be rounded once",
                value, actual);
    else if (!result->passed)
        explain(result->reason, sizeof result->reason,
                "expected %.17g, got %.17g; the error is %.2g of the terms' magnitudes, more than a compensated sum's",
                value, actual, result->worst);
}
