/* The vectors of a dot product. */
#include <math.h>

#include "base/random.h"
#include "base/worth_threads.h"
#include "kernels/dot/dot.h"
#include "kernels/structure.h"

/* A random sign, from bits of the word that are not used elsewhere. */
static double with_sign(double magnitude, uint64_t word)
{
    return word >> 63 ? -magnitude : magnitude;
}

#define WIDE 20
#define WIDE_F16 7 /* its numbers reach from 2^-14 to 2^15 */

static double value_of(enum element_type type, enum dot_input input, uint64_t word)
{
    double unit = (double)(word >> 40) * 0x1p-24;
    if (input == INPUT_UNIT)
        return unit;
    double value = 2 * unit - 1;
    const int most = type == ELEMENT_F16 ? WIDE_F16 : WIDE;
    return input == INPUT_WIDE ? ldexp(value, (int)(word % (uint64_t)(2 * most + 1)) - most) : value;
}

/* ---- extremes ------------------------------------------------------------------------------------------------- */

/* Of each pair one is at an end of the type's range and the other so much the larger, or smaller, that all products are
 * alike and their sum is an ordinary number. All terms are above 0. With even seeds the tiny ones' products are
 * subnormal. */
struct extremes {
    int product, from, to; /* exponents: of the products, and of the ones at the end */
};

static struct extremes extremes_of(const struct problem *problem)
{
    static const struct extremes all[][3] = {
        [ELEMENT_F32] = {{90, 100, 126}, {-24, -149, -123}, {-136, -149, -123}},
        [ELEMENT_F64] = {{970, 990, 1022}, {-60, -1074, -1016}, {-1050, -1074, -1016}},
        [ELEMENT_F16] = {{8, 12, 14}, {-12, -24, -13}, {-30, -24, -13}},
        [ELEMENT_BF16] = {{90, 100, 126}, {-24, -133, -123}, {-136, -133, -123}},
    };
    const bool is_tiny = (enum dot_input)problem->values[1].size == INPUT_TINY;
    return all[problem->type][is_tiny ? 1 + (problem->seed % 2 == 0) : 0];
}

static void put_extremes(const struct problem *problem, struct host_arrays host, size_t i)
{
    struct extremes ends = extremes_of(problem);
    uint64_t first = random_word(problem->seed, 2 * i), second = random_word(problem->seed, 2 * i + 1);
    int exponent = ends.from + (int)(first % (uint64_t)(ends.to - ends.from + 1)), end = (int)(first >> 32 & 1);
    element_put(problem->type, host.data[end], i, ldexp(1 + (double)(first >> 40) * 0x1p-24, exponent));
    element_put(problem->type, host.data[!end], i,
                ldexp(1 + (double)(second >> 40) * 0x1p-24, ends.product - exponent));
}

/* ---- integers ------------------------------------------------------------------------------------------------- */

/* Nearly all elements are 1 or -1, so that no term can be missing. Some are long, at places spread over the vectors:
 * each of these tells whether numbers keep as many bits as they have on the way, in a, in b, and in both. */
enum { SPECIALS = 22, FIRST_IN_B = 2 + 8, FIRST_IN_BOTH = FIRST_IN_B + 8 };

/* An odd integer of this many bits. A long one is only a little above its power of two, so the others' sums fit beside
 * it. */
static double odd_of(unsigned bits, uint64_t word)
{
    uint64_t top = UINT64_C(1) << (bits - 1);
    return (double)(top | (word & ((bits > 20 ? top >> 3 : top) - 1)) | 1);
}

static unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Binary digits of sums, and of elements. */
static unsigned digits_of(enum element_type type)
{
    return type == ELEMENT_F64 ? 53 : 24;
}

static unsigned own_digits_of(enum element_type type)
{
    return type == ELEMENT_F16 ? 11 : type == ELEMENT_BF16 ? 8 : digits_of(type);
}

static void put_special(const struct problem *problem, struct host_arrays host, size_t i, unsigned which)
{
    unsigned digits = digits_of(problem->type), own = own_digits_of(problem->type);
    size_t n = (size_t)problem->values[0].size;
    /* Where there is hardly room between the sum of all ones and 2^digits, the longest are shorter. */
    bool crowded = (double)n > ldexp(1, (int)digits - 4);
    unsigned longest = smaller(crowded ? digits - 4 : digits, own);
    uint64_t word = random_word(problem->seed ^ 0x17E6E5, i), other = random_word(problem->seed ^ 0xDA7A, i);
    double one = with_sign(1, other), a, b;
    if (which < 2) {
        a = odd_of(which == 0 ? longest : longest - 3, word); /* above 0: with it no sum is 0 */
        b = 1;
    } else if (which < FIRST_IN_BOTH) {
        a = with_sign(odd_of(smaller(digits - 7, own), word), word);
        b = one;
    } else {
        a = with_sign(odd_of(smaller((digits - 6) / 2, own), word), word);
        b = with_sign(odd_of(smaller((digits - 6) / 2, own), other), other);
    }
    bool swapped = which == 1 || (which >= FIRST_IN_B && which < FIRST_IN_BOTH);
    element_put(problem->type, host.data[0], i, swapped ? b : a);
    element_put(problem->type, host.data[1], i, swapped ? a : b);
}

/* Beyond 2^digits elements some of b are 0, so that the others' sum stays below it. */
static double one_or_none(const struct problem *problem, uint64_t word)
{
    double most = ldexp(1, (int)digits_of(problem->type)), n = (double)problem->values[0].size;
    return (double)(word >> 11) * 0x1p-53 * n < most ? 1 : 0;
}

static void fill_integers(const struct problem *problem, struct host_arrays host)
{
    size_t count = (size_t)problem->values[0].size, step = count / SPECIALS;
#pragma omp parallel for schedule(static) if (is_worth_threads(count))
    for (size_t i = 0; i < count; i++) {
        uint64_t first = random_word(problem->seed, 2 * i), second = random_word(problem->seed, 2 * i + 1);
        element_put(problem->type, host.data[0], i, with_sign(1, first));
        element_put(problem->type, host.data[1], i, with_sign(one_or_none(problem, first << 1), second));
    }
    for (size_t s = 0; s < SPECIALS && s < count; s++) {
        size_t place = step ? s * step + random_word(problem->seed ^ 0x91ACE, s) % step : s;
        put_special(problem, host, place, (unsigned)((s + problem->seed) % SPECIALS));
    }
}

/* ---- structures ----------------------------------------------------------------------------------------------- */

#define RUN 64 /* elements of a row, where the vector is taken for a matrix */

/* The magnitudes of all terms add up to less than 2^24 (2^53); from there on elements are 0. */
static void fill_structured(const struct problem *problem, struct host_arrays host)
{
    const size_t count = (size_t)problem->values[0].size;
    const double room = ldexp(1, (int)digits_of(problem->type)), most = sqrt(room / ((double)count + 1));
    const int64_t magnitude = most < 1 ? 1 : most > 100 ? 100 : (int64_t)most;
    for (unsigned v = 0; v < 2; v++) {
        const struct structure structure = structure_of(problem->seed, v, (count + RUN - 1) / RUN, RUN);
#pragma omp parallel for schedule(static) if (is_worth_threads(count))
        for (size_t i = 0; i < count; i++) {
            const uint64_t word = structure_word(&structure, i / RUN, i % RUN);
            const int64_t value =
                word <= STRUCTURE_WORD_1 ? (int64_t)word : (int64_t)(word >> 32) % (2 * magnitude + 1) - magnitude;
            element_put(problem->type, host.data[v], i, (double)i < room ? (double)value : 0);
        }
    }
}

/* ---- special -------------------------------------------------------------------------------------------------- */

/* An infinity; or what the sum is NaN with: a NaN in a or in b, an infinity times 0, both infinities. Five seeds have
 * these, and the five behind them the same with a and b exchanged: code that skips a zero looks at one of them. */
static void put_no_number(const struct problem *problem, struct host_arrays host, size_t count)
{
    uint64_t word = random_word(problem->seed, 2 * count);
    size_t at = word % count, other = (at + 1 + (word >> 32) % count) % count;
    unsigned kind = (problem->seed + 4) % 5, first = (problem->seed + 4) / 5 % 2 == 0;
    element_put(problem->type, host.data[first], at, kind == 1 ? 0.5 : kind == 2 ? (double)NAN : (double)INFINITY);
    if (kind == 1)
        element_put(problem->type, host.data[!first], at, (double)NAN);
    if (kind == 3)
        element_put(problem->type, host.data[!first], at, 0);
    if (kind != 4 || other == at)
        return;
    element_put(problem->type, host.data[!first], at, 0.5);
    element_put(problem->type, host.data[first], other, -(double)INFINITY);
    element_put(problem->type, host.data[!first], other, 0.5);
}

/* ---- all ------------------------------------------------------------------------------------------------------ */

/* The usual kind: written for each type, as one is as long as memory. */
static void fill_unit(const struct problem *problem, struct host_arrays host)
{
    const size_t count = (size_t)problem->values[0].size;
    const uint64_t seed = problem->seed;
    const bool is_double = problem->type == ELEMENT_F64;
    float *const floats[] = {host.data[0], host.data[1]};
    double *const doubles[] = {host.data[0], host.data[1]};
#pragma omp parallel for schedule(static) if (is_worth_threads(count))
    for (size_t i = 0; i < count; i++)
        for (size_t v = 0; v < 2; v++) {
            const double value = (double)(random_word(seed, 2 * i + v) >> 40) * 0x1p-24;
            if (is_double)
                doubles[v][i] = value;
            else
                floats[v][i] = (float)value;
        }
}

void dot_fill(const struct problem *problem, const struct array *arrays, struct host_arrays host)
{
    (void)arrays;
    enum dot_input input = (enum dot_input)problem->values[1].size;
    size_t count = (size_t)problem->values[0].size;
    if (input == INPUT_INTEGERS) {
        fill_integers(problem, host);
        return;
    }
    if (input == INPUT_STRUCTURED) {
        fill_structured(problem, host);
        return;
    }
    if (input == INPUT_UNIT && !element_is_half(problem->type)) {
        fill_unit(problem, host);
        return;
    }
#pragma omp parallel for schedule(static) if (is_worth_threads(count))
    for (size_t i = 0; i < count; i++) {
        if (input == INPUT_TINY || input == INPUT_HUGE)
            put_extremes(problem, host, i);
        for (int v = 0; v < 2 && input != INPUT_TINY && input != INPUT_HUGE; v++)
            element_put(problem->type, host.data[v], i,
                        value_of(problem->type, input, random_word(problem->seed, 2 * i + (size_t)v)));
    }
    if (input == INPUT_SPECIAL && count > 0)
        put_no_number(problem, host, count);
}
