#include "lab/verification/check_draws.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/size.h"
#include "kernels/structure.h"

#define TRIES 400
#define SERVED_TRIES 1000 /* attempts, for files that accept few problems */
#define SELDOM 8          /* of so many problems one has a field that most rungs do not know */

/* Random words of an attempt: of the first fields, which most kernels have no more of, and three. Those of other fields
 * are far from all of these. */
#define FIRST_FIELDS 13
#define WORDS (FIRST_FIELDS + 3)

static uint64_t word_of_field(uint64_t stream, uint64_t first, size_t field)
{
    return random_word(stream, field < FIRST_FIELDS ? first + field : first + field + (UINT64_C(1) << 60));
}

static const struct {
    double bytes, operations;
    unsigned bits; /* of the longest side */
} most[] = {[DRAW_LIGHT] = {128 << 10, 5e7, 16}, [DRAW_MEDIUM] = {8 << 20, 2e8, 21}};

/* From 2^low to 2^high, but for the neighbours. */
static int64_t drawn_size(uint64_t word, unsigned low, unsigned high)
{
    unsigned length = low + (unsigned)(word % (high - low));
    int64_t power = INT64_C(1) << length, rest = (int64_t)(word >> 16) & (power - 1);
    switch (word >> 8 & 3) {
    case 0:
        return power;
    case 1:
        return power + 1 - 2 * (int64_t)(word >> 10 & 1);
    case 2:
        return power + (rest & ~((INT64_C(1) << (length / 2)) - 1));
    default:
        return power + rest;
    }
}

/* In [0, 1), of 53 bits. */
static double fraction(uint64_t word)
{
    return (double)(word >> 11) * 0x1p-53;
}

#define REAL_KINDS 8

/* Kinds of drawn factors from which on nothing is short. */
enum { FACTOR_NEAR_ONE = 4, FACTOR_MODERATE, FACTOR_LARGE, FACTOR_SMALL };

/* A factor without limits: the neutral ones, short fractions, which keep exact inputs exact, and numbers whose bits
 * all count: near 1 (to 2^-20), moderate, large (to 2^46), and small (from 2^-50). Three successive turns reach both
 * ends of these ranges. A gentle one is neither large nor small. */
static double drawn_factor(unsigned kind, bool is_gentle, uint64_t turn, uint64_t word)
{
    static const double few[] = {0, 1, -1};
    const double part = fraction(word), sign = word & 1 ? -1 : 1;
    if (kind < COUNT_OF(few))
        return few[kind];
    if (kind == 3)
        return (double)((int)(word >> 8 & 63) - 32) / 8;
    if (kind == FACTOR_NEAR_ONE)
        return 1 + sign * ldexp(0.5 + part / 2, -(int)(7 * turn % 20));
    if (kind == FACTOR_MODERATE || is_gentle)
        return sign * (0.125 + 4 * part);
    return sign * ldexp(1 + part, (kind == FACTOR_LARGE ? 2 : -50) + (int)(17 * turn % 44));
}

/* Of a field with limits: those, numbers near them, and numbers spread evenly over the range. `turn` is the problem's
 * place in that spread: the golden ratio's multiples leave no gap much longer than another. */
static double drawn_within(const struct problem_field *field, double turn, uint64_t word)
{
    const double low = field->minimum_real, high = field->maximum_real;
    const double near = ldexp((high - low) * (0.5 + fraction(word) / 2), -(int)(word >> 4 & 7) - 3);
    const double golden = turn * 0.6180339887498949;
    switch (word & 15) {
    case 0:
        return low;
    case 1:
        return high;
    case 2:
        return low + near;
    case 3:
        return high - near;
    default:
        return low + (high - low) * (golden - floor(golden));
    }
}

bool check_draw_is_side(const struct kernel *kernel, const struct problem_field *field)
{
    for (size_t i = 0; kernel->shape && kernel->shape[i]; i++)
        if (strcmp(kernel->shape[i], field->name) == 0)
            return true;
    return field->derived != NULL;
}

/* The sides of one problem: each of its own length, all of about one length, or all equal. */
struct shape {
    unsigned low, high; /* powers of two */
    uint64_t equal;     /* a word for all of them; 0: each has its own */
};

static struct shape drawn_shape(uint64_t word, unsigned bits)
{
    unsigned low = (unsigned)(word >> 8) % (bits - 2);
    if (word & 1)
        return (struct shape){0, bits, 0};
    return (struct shape){low, low + 2, word & 2 ? 0 : word >> 16};
}

static int64_t size_of_field(const struct problem *problem, size_t index, struct shape shape, bool has_options,
                             uint64_t word)
{
    const struct problem_field *field = &problem->kernel->fields[index];
    bool is_ratio = field->derived && index >= 2 && (word >> 40 & 1); /* of small numbers, to a side before it */
    int64_t size = field->initial;
    if (check_draw_is_side(problem->kernel, field))
        size = is_ratio
                   ? problem->values[index - 2].size * (1 + (int64_t)(word >> 42 & 7)) / (1 + (int64_t)(word >> 45 & 3))
                   : drawn_size(shape.equal ? shape.equal : word, shape.low, shape.high);
    else if (field->unless_taken && !has_options)
        size = field->initial;   /* most rungs refuse other values */
    else if (field->initial > 0) /* steps */
        size = drawn_size(word, 0, word >> 48 & 3 ? 5 : 8);
    else if (word & 64) /* padding */
        size = drawn_size(word, 0, 4 + 2 * (unsigned)(word >> 48 & 3));
    return size < field->minimum ? field->minimum : size > field->maximum ? field->maximum : size;
}

/* Where a problem is drawn from: the words of one index of a seed's stream. */
struct draw {
    uint64_t stream, first;
    size_t index;
    unsigned bits;
};

static bool has_extreme_inputs(const struct problem *problem)
{
    static const char *const extremes[] = {"tiny", "huge", "wide"};
    const struct kernel *kernel = problem->kernel;
    for (size_t i = 0; i < kernel->field_count; i++)
        for (size_t k = 0; strcmp(kernel->fields[i].name, "input") == 0 && k < COUNT_OF(extremes); k++)
            if (strcmp(kernel->fields[i].choices[problem->values[i].size], extremes[k]) == 0)
                return true;
    return false;
}

/* Beside a first factor that is neither neutral nor large, a moderate second one becomes the same, or its opposite.
 * Beside a small one, whose part of the result an ordinary second one would hide, one near 1 becomes one near it. */
static double drawn_second(unsigned kind, double first, size_t index, double own)
{
    const bool is_neutral = first == 0 || fabs(first) == 1;
    if (kind == FACTOR_MODERATE && !is_neutral && fabs(first) < 64)
        return index / REAL_KINDS % 2 ? -first : first;
    return kind == FACTOR_NEAR_ONE && !is_neutral && fabs(first) < 0.01 ? own * first : own;
}

/* Numbers other than sizes. Each kind of factor meets each kind of the field before it within 64 problems. */
static void draw_reals(const struct draw *draw, uint64_t first, struct problem *problem)
{
    const struct kernel *kernel = problem->kernel;
    const bool is_gentle = has_extreme_inputs(problem);
    size_t rank = 0;
    double before = 0;
    for (size_t i = 0; i < kernel->field_count; i++) {
        const struct problem_field *field = &kernel->fields[i];
        const uint64_t word = word_of_field(draw->stream, first, i), start = random_word(draw->stream, ~(uint64_t)i);
        const size_t turn = rank == 0 ? draw->index : 3 * draw->index + draw->index / REAL_KINDS;
        if (field->kind != FIELD_REAL)
            continue;
        const unsigned kind = (unsigned)((start + turn) % REAL_KINDS);
        problem->values[i].real =
            field->minimum_real < field->maximum_real
                ? drawn_within(field, (double)turn + fraction(start), word)
                : drawn_second(kind, before, draw->index,
                               drawn_factor(kind, is_gentle, draw->index / REAL_KINDS + start % 960, word));
        before = problem->values[i].real;
        rank++;
    }
}

static bool attempt(const struct kernel *kernel, const struct draw *draw, size_t attempts, struct problem *problem)
{
    const uint64_t first = draw->first + attempts * WORDS;
    const size_t common = kernel->common_types ? kernel->common_types : kernel->type_count;
    struct shape shape = drawn_shape(random_word(draw->stream, first + FIRST_FIELDS + 2), draw->bits);
    bool has_options = false, is_decided = false;
    *problem = problem_default(kernel);
    for (size_t i = 0; i < kernel->field_count; i++) {
        const struct problem_field *field = &kernel->fields[i];
        const uint64_t word = word_of_field(draw->stream, first, i);
        size_t choices = 0;
        if (field->unless_taken && field->kind == FIELD_SIZE && !is_decided) {
            has_options = (word >> 56) % SELDOM == 0;
            is_decided = true;
        }
        while (field->kind == FIELD_CHOICE && field->choices[choices])
            choices++;
        if (choices > 0) /* most rungs would refuse an optional one */
            problem->values[i].size = field->unless_taken ? field->initial : (int64_t)(word % choices);
        else if (field->kind != FIELD_REAL)
            problem->values[i].size = size_of_field(problem, i, shape, has_options, word);
    }
    draw_reals(draw, first, problem);
    problem->type = kernel->types[random_word(draw->stream, first + FIRST_FIELDS) % common];
    problem->seed = (uint32_t)(random_word(draw->stream, first + FIRST_FIELDS + 1) % 999) + 1;
    return !kernel->imply || kernel->imply(problem, NULL, NULL) == STATUS_OK;
}

/* Every twelfth problem has structured inputs: the check tries a light one with every structure. */
#define STRUCTURED_EVERY 12
#define STRUCTURED_LEAST 4096 /* bytes: in a few elements most structures are the same */

static void structure(struct problem *problem, size_t index)
{
    const struct kernel *kernel = problem->kernel;
    for (size_t i = 0; i < kernel->field_count && index % STRUCTURED_EVERY == 0; i++)
        for (int64_t k = 0; kernel->fields[i].kind == FIELD_CHOICE && kernel->fields[i].choices[k]; k++)
            if (strcmp(kernel->fields[i].choices[k], STRUCTURED) == 0)
                problem->values[i].size = k;
}

static bool fits(const struct problem *problem, enum draw_extent extent)
{
    struct array arrays[KERNEL_ARRAYS_MAX];
    int count;
    double bytes = 0;
    if (kernel_describe(problem, arrays, &count, NULL) != STATUS_OK)
        return false;
    for (int i = 0; i < count; i++)
        bytes += (double)arrays[i].bytes;
    double least = extent != DRAW_LIGHT             ? most[DRAW_LIGHT].bytes
                   : problem_is_structured(problem) ? STRUCTURED_LEAST
                                                    : -1;
    return bytes > least && bytes <= most[extent].bytes &&
           problem->kernel->cost(problem).operations <= most[extent].operations;
}

static struct draw draw_of(uint32_t seed, size_t index, enum draw_extent extent)
{
    return (struct draw){(uint64_t)seed << 8 | (uint64_t)extent, index * TRIES * WORDS, index, most[extent].bits};
}

bool check_draw(const struct kernel *kernel, uint32_t seed, size_t index, enum draw_extent extent,
                struct problem *problem)
{
    struct draw draw = draw_of(seed, index, extent);
    for (size_t i = 0; i < TRIES; i++) {
        bool is_drawn = attempt(kernel, &draw, i, problem);
        structure(problem, index);
        if (is_drawn && fits(problem, extent))
            return true;
    }
    return false;
}

/* No divisor of REAL_KINDS: all of these meet all others. */
#define SIMPLE_EVERY 3

static void simplify(struct problem *problem)
{
    struct problem usual = problem_default(problem->kernel);
    for (size_t i = 0; i < problem->kernel->field_count; i++)
        if (!check_draw_is_side(problem->kernel, &problem->kernel->fields[i]) && !problem->kernel->fields[i].host_only)
            problem->values[i] = usual.values[i];
}

static bool is_served(const struct draw_target *target, const struct problem *problem)
{
    struct candidate candidate;
    struct error error;
    char reason[256];
    return candidate_make(target->device, target->rung, problem, target->set, &candidate, &error) == STATUS_OK &&
           !rung_refuses(target->rung, problem, target->device, &candidate.parameters, reason, sizeof reason);
}

bool check_draw_served(const struct draw_target *target, uint32_t seed, size_t index, enum draw_extent extent,
                       struct problem *problem)
{
    struct draw draw = draw_of(seed, index, extent);
    const bool is_simple = index % SIMPLE_EVERY == 2 || index % STRUCTURED_EVERY == 0;
    for (size_t i = 0; i < SERVED_TRIES; i++) {
        bool is_drawn = attempt(target->kernel, &draw, i, problem);
        problem->type = target->type;
        if (i >= TRIES / 2 || (is_simple && i % 2 == 1)) {
            simplify(problem);
            is_drawn = !target->kernel->imply || target->kernel->imply(problem, NULL, NULL) == STATUS_OK;
        }
        if (i < TRIES / 2) /* where the rung takes such inputs */
            structure(problem, index);
        if (is_drawn && fits(problem, extent) && is_served(target, problem))
            return true;
    }
    return false;
}
