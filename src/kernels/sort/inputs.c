#include "kernels/sort/inputs.h"

#include <string.h>

#include "base/random.h"
#include "base/size.h"
#include "base/worth_threads.h"
#include "kernels/sort/documented_order.h"
#include "kernels/sort/sort.h"
#include "kernels/structure.h"

#define TOOTH 1000

/* Floats in [-1, 1): 25 and 54 random bits, neither all zero nor all alike in their exponents. */
static uint64_t uniform_bits(enum element_type type, uint64_t word)
{
    union {
        float f32;
        double f64;
        uint32_t u32;
        uint64_t u64;
    } real = {.u64 = 0};
    switch (type) {
    case ELEMENT_F32:
        real.f32 = (float)((int64_t)word >> 39) * 0x1p-24f;
        return real.u32;
    case ELEMENT_F64:
        real.f64 = (double)((int64_t)word >> 10) * 0x1p-53;
        return real.u64;
    case ELEMENT_F16:
    case ELEMENT_BF16: { /* every number of magnitude below 1 is as likely */
        const uint64_t one = type == ELEMENT_F16 ? 0x3c00 : 0x3f80;
        return (word >> 32) % one | (word & 1) << 15;
    }
    default:
        return word;
    }
}

/* Step `index` of `count` when the type's numbers are cut into equal steps, ascending; somewhere in that step. */
static uint64_t step_bits(enum element_type type, uint64_t index, uint64_t count, uint64_t word)
{
    struct number_format format = number_format_of(type);
    uint64_t lowest = (uint64_t)sort_lowest_rank(format), span = (uint64_t)sort_highest_rank(format) - lowest;
    uint64_t step = span / count;
    uint64_t before = step > 0 || span == 0 ? index * step : index * span / count; /* narrow types: steps are shared */
    return sort_bits_of_rank(format, (int64_t)(lowest + before + word % (step > 0 ? step : 1)));
}

/* Every other element is one of these, as bits of the wider type of its kind. */
static uint64_t special_bits(enum element_type type, uint64_t word)
{
    static const uint64_t f32[] = {0x7fc00000, 0xffc00000, 0x7f800001, 0xffffffff, 0x7fffffff, 0xff800001,
                                   0,          0x80000000, 0x7f800000, 0xff800000, 1,          0x80000001,
                                   0x7f7fffff, 0xff7fffff, 0x3f800000, 0xbf800000};
    static const uint64_t f64[] = {0x7ff8000000000000,
                                   0xfff8000000000000,
                                   0x7ff0000000000001,
                                   UINT64_MAX,
                                   0x7fffffffffffffff,
                                   0xfff0000000000001,
                                   0,
                                   0x8000000000000000,
                                   0x7ff0000000000000,
                                   0xfff0000000000000,
                                   1,
                                   0x8000000000000001,
                                   0x7fefffffffffffff,
                                   0xffefffffffffffff,
                                   0x3ff0000000000000,
                                   0xbff0000000000000};
    static const uint64_t f16[] = {0x7e00, 0xfe00, 0x7c01, 0xffff, 0x7fff, 0xfc01, 0,      0x8000,
                                   0x7c00, 0xfc00, 1,      0x8001, 0x7bff, 0xfbff, 0x3c00, 0xbc00};
    static const uint64_t integers[] = {0, 1, UINT64_MAX, INT64_MAX, (uint64_t)INT64_MIN, 0x7fffffff, 0x80000000, 7};
    if (word & 1)
        return uniform_bits(type, word);
    if (type == ELEMENT_F32)
        return f32[word / 2 % COUNT_OF(f32)];
    if (type == ELEMENT_F64)
        return f64[word / 2 % COUNT_OF(f64)];
    if (type == ELEMENT_F16)
        return f16[word / 2 % COUNT_OF(f16)];
    if (type == ELEMENT_BF16)
        return f32[word / 2 % COUNT_OF(f32)] >> 16 | (f32[word / 2 % COUNT_OF(f32)] & 1); /* NaNs stay NaNs */
    return integers[word / 2 % COUNT_OF(integers)];
}

/* D. R. Musser, "Introspective sorting and selection algorithms", Software: Practice and Experience 27, 1997: the
 * permutation of 0 … count - 1 that makes the median of first, middle and last the second smallest every time. */
static uint64_t killer_rank(uint64_t index, uint64_t count)
{
    uint64_t half = count / 4 * 2;
    if (index >= 2 * half)
        return index;
    if (index >= half)
        return 2 * (index - half) + 1;
    return index % 2 == 0 ? index : half + index - 1;
}

/* Subnormal and the smallest normal floats of both signs; integers around 0. */
static uint64_t tiny_bits(enum element_type type, uint64_t word)
{
    struct number_format format = number_format_of(type);
    if (format.infinity == 0)
        return format.is_signed ? (uint64_t)((int64_t)(word % 2001) - 1000) : word % 2001;
    int64_t most = (int64_t)(2 * (-format.infinity & format.infinity)); /* twice the least normal one */
    return sort_bits_of_rank(format, (int64_t)(word % (2 * (uint64_t)most)) - most);
}

/* Floats of every exponent, one in 32 of them an infinity; integers of every length. */
static uint64_t wide_bits(enum element_type type, uint64_t word, uint64_t other)
{
    struct number_format format = number_format_of(type);
    if (format.infinity != 0)
        return other % 32 > 0 ? step_bits(type, 0, 1, word) : format.infinity | other >> 63 << (format.bits - 1);
    uint64_t sign = format.is_signed && other >> 63 ? UINT64_MAX : 0;
    return (word >> (64 - format.bits) >> other % format.bits) ^ sign;
}

/* One of seven; other seeds have another number of values. Among floats one is -0, whose sign a sort keeps. There is no
 * +0, which it would have to stand before. */
static uint64_t few_bits(const struct problem *problem, uint64_t word)
{
    static const unsigned counts[] = {7, 2, 3, 256, 17, 4096};
    unsigned count = counts[(problem->seed + COUNT_OF(counts) - 1) % COUNT_OF(counts)],
             which = (unsigned)(word % count);
    struct number_format format = number_format_of(problem->type);
    if (which == count - 1 && format.infinity != 0)
        return UINT64_C(1) << (format.bits - 1);
    return uniform_bits(problem->type, random_word(problem->seed, which));
}

/* Three of four, at random places, are one value, which lies among the others'. */
static uint64_t mostly_bits(const struct problem *problem, uint64_t index, uint64_t count, uint64_t word)
{
    bool differs = random_word(problem->seed, count + index) % 4 == 0;
    return uniform_bits(problem->type, differs ? word : random_word(problem->seed, 2 * count));
}

/* The ranks 0 … count - 1 in order, but for one, which stands at another place. */
static uint64_t displaced_rank(const struct problem *problem, uint64_t index, uint64_t count)
{
    uint64_t from = random_word(problem->seed, 2 * count) % count,
             to = random_word(problem->seed, 2 * count + 1) % count;
    if (index == to)
        return from;
    if (from <= index && index < to)
        return index + 1;
    return to < index && index <= from ? index - 1 : index;
}

/* A key that is the problem's own in all bytes but `digit`, which comes from the word. Floats stay numbers: the byte of
 * the sign keeps a small exponent. */
static uint64_t digit_bits(const struct problem *problem, uint64_t count, unsigned digit, uint64_t word)
{
    const bool is_exponent =
        number_format_of(problem->type).infinity != 0 && digit == (unsigned)element_info(problem->type)->bytes - 1;
    const uint64_t base = uniform_bits(problem->type, random_word(problem->seed, 4 * count + digit));
    const uint64_t value = word >> 32 & (is_exponent ? 0xbf : 0xff);
    return (base & ~(UINT64_C(0xff) << 8 * digit)) | value << 8 * digit;
}

/* A key with the leading half of the problem's own. */
static uint64_t half_bits(const struct problem *problem, uint64_t count, uint64_t word)
{
    const uint64_t low = (UINT64_C(1) << 4 * element_info(problem->type)->bytes) - 1;
    return (uniform_bits(problem->type, random_word(problem->seed, 4 * count)) & ~low) | (word & low);
}

/* ---- orders of a few elements: all of them --------------------------------------------------------------------- */

#define FEW 8    /* elements: every word of two values, on which a network of comparators is right or wrong */
#define FEWEST 5 /* elements: every permutation, too */

static uint32_t permutations_of(uint64_t count)
{
    uint32_t product = 1;
    for (uint32_t i = 2; i <= count && count <= FEWEST; i++)
        product *= i;
    return count <= FEWEST ? product : 0;
}

uint32_t sort_structures(const struct problem *problem)
{
    const uint64_t count = (uint64_t)problem->values[SORT_N].size;
    return count <= FEW ? permutations_of(count) + (UINT32_C(1) << count) : STRUCTURE_SEEDS;
}

/* What stands at `index` in permutation `which` of 0 … count - 1: the digits of `which` in the factorial base choose
 * among those that are left. */
static uint64_t permuted_rank(uint32_t which, uint64_t index, uint64_t count)
{
    bool taken[FEWEST] = {false};
    uint64_t rank = 0;
    for (uint64_t i = 0; i <= index; i++) {
        uint64_t left = which % (count - i);
        which /= (uint32_t)(count - i);
        for (rank = 0; taken[rank] || left-- > 0;)
            rank++;
        taken[rank] = true;
    }
    return rank;
}

/* As many successive seeds as sort_structures says have all of them. */
static uint64_t few_elements_bits(const struct problem *problem, uint64_t index, uint64_t count)
{
    const uint32_t permutations = permutations_of(count), which = problem->seed % sort_structures(problem);
    const bool is_permuted = which < permutations;
    const uint64_t rank = is_permuted ? permuted_rank(which, index, count) : (which - permutations) >> index & 1;
    return step_bits(problem->type, rank, is_permuted ? count : 2, random_word(0, rank));
}

/* ---- structures of many ------------------------------------------------------------------------------------------ */

#define BLOCK 32
#define TAIL(count) ((count) / 4096 + 2)

/* Orders that a short cut may take for a simpler one. `kind` follows from the seed. */
static uint64_t structured_bits(const struct problem *problem, uint64_t index, uint64_t count, uint64_t word)
{
    const enum element_type type = problem->type;
    const uint64_t place = random_word(problem->seed, 2 * count) % count, half = count / 2;
    const unsigned bytes = (unsigned)element_info(type)->bytes;
    const uint64_t block = index / BLOCK * BLOCK, last = block + BLOCK <= count ? block + BLOCK - 1 : count - 1;
    if (count <= FEW)
        return few_elements_bits(problem, index, count);
    switch (problem->seed % 12) {
    case 11: /* one in 4096 has the leading half of another: a sample sees none of them */
        return index % 4096 == place % 4096 ? half_bits(problem, count, word) : uniform_bits(type, word);
    case 10: /* in the first half all are alike but for their leading byte: a sample there sees no other digit */
        return index < half ? digit_bits(problem, count, bytes - 1, word) : uniform_bits(type, word);
    case 9: /* sorted, but for the last ones */
        return index + TAIL(count) < count ? step_bits(type, index, count, word) : uniform_bits(type, word);
    case 8: /* alike but for one byte, each byte in its turn: among random keys the leading digits decide */
        return digit_bits(problem, count, (unsigned)(word % bytes), word);
    case 0: /* all equal but for one */
        return uniform_bits(type, index == place ? word : random_word(problem->seed, 3 * count));
    case 1: /* sorted, but for two neighbours */
        return step_bits(type,
                         index == place && index + 1 < count ? index + 1
                         : index == place + 1                ? place
                                                             : index,
                         count, word);
    case 2: /* falling, but for one */
        return step_bits(type, displaced_rank(problem, count - 1 - index, count), count, word);
    case 3: /* two rising runs, the greater one first */
        return step_bits(type, (index + place) % count, count, word);
    case 4: /* blocks in order, each of them falling */
        return step_bits(type, block + last - index, count, word);
    case 5: /* two values in turn */
        return uniform_bits(type, random_word(problem->seed, 3 * count + index % 2));
    case 6: /* two rising halves, one element after another from either */
        return step_bits(type, index % 2 ? half + index / 2 : index / 2, count, word);
    default: /* blocks of equal elements, falling */
        return step_bits(type, (count - 1 - index) / BLOCK, count / BLOCK + 1, random_word(problem->seed, 0));
    }
}

static uint64_t element_bits(const struct problem *problem, uint64_t index, uint64_t count)
{
    enum element_type type = problem->type;
    uint64_t word = random_word(problem->seed, index);
    switch ((enum sort_input)problem->values[SORT_INPUT].size) {
    case SORT_INPUT_UNIFORM:
        return uniform_bits(type, word);
    case SORT_INPUT_SORTED:
        return step_bits(type, index, count, word);
    case SORT_INPUT_REVERSED:
        return step_bits(type, count - 1 - index, count, word);
    case SORT_INPUT_EQUAL:
        return uniform_bits(type, random_word(problem->seed, 0));
    case SORT_INPUT_FEW:
        return few_bits(problem, word);
    case SORT_INPUT_SPECIAL:
        return special_bits(type, word);
    case SORT_INPUT_SAWTOOTH:
        return step_bits(type, index % TOOTH, TOOTH, word);
    case SORT_INPUT_ORGAN:
        return step_bits(type, index < count / 2 ? 2 * index : 2 * (count - 1 - index), 2 * count, word);
    case SORT_INPUT_KILLER:
        return step_bits(type, killer_rank(index, count), count, word);
    case SORT_INPUT_TINY:
        return tiny_bits(type, word);
    case SORT_INPUT_WIDE:
        return wide_bits(type, word, random_word(problem->seed, count + index));
    case SORT_INPUT_MOSTLY:
        return mostly_bits(problem, index, count, word);
    case SORT_INPUT_DISPLACED:
        return step_bits(type, displaced_rank(problem, index, count), count, word);
    case SORT_INPUT_STRUCTURED:
        return structured_bits(problem, index, count, word);
    }
    return 0;
}

static void write_word(void *to, uint64_t word, size_t bytes)
{
    const unsigned char u8 = (unsigned char)word;
    const uint16_t u16 = (uint16_t)word;
    const uint32_t u32 = (uint32_t)word;
    memcpy(to, bytes == 1 ? (const void *)&u8 : bytes == 2 ? &u16 : bytes == 4 ? (const void *)&u32 : &word, bytes);
}

/* Random, and none like another's neighbour: what stays behind its key shows. */
static void fill_values(const struct problem *problem, char *values, size_t count)
{
    const size_t bytes = sort_value_bytes(problem);
#pragma omp parallel for schedule(static) if (is_worth_threads(count))
    for (size_t i = 0; i < count; i++)
        write_word(values + i * bytes, random_word(problem->seed, 5 * count + i), bytes);
}

/* The elements from `begin` to `end` of one line. */
static void fill_part(const struct problem *problem, size_t line, size_t begin, size_t end, char *data)
{
    const size_t n = (size_t)problem->values[SORT_N].size, stride = (size_t)problem->values[SORT_STRIDE].size;
    const size_t bytes = element_info(problem->type)->bytes;
    struct problem own = *problem;
    own.seed += (uint32_t)line;
    data += (line / stride * n * stride + line % stride) * bytes;
    for (size_t i = begin; i < end; i++)
        write_word(data + i * stride * bytes, element_bits(&own, i, n), bytes);
}

#define PART ((size_t)1 << 12)

/* Every line is of the problem's kind, from a seed of its own. */
void sort_fill(const struct problem *problem, const struct array *arrays, struct host_arrays host)
{
    const size_t n = (size_t)problem->values[SORT_N].size, parts = n / PART + (n % PART != 0);
    const size_t lines = arrays[0].rows * (size_t)problem->values[SORT_STRIDE].size;
#pragma omp parallel for schedule(static) if (is_worth_threads(lines * n))
    for (size_t part = 0; part < lines * parts; part++) {
        const size_t begin = part % parts * PART, end = n - begin < PART ? n : begin + PART;
        fill_part(problem, part / parts, begin, end, host.data[0]);
    }
    if (sort_value_bytes(problem) && !sort_is_argsort(problem))
        fill_values(problem, host.data[1], lines * n);
}
