#include <string.h>

#include "base/random.h"
#include "base/worth_threads.h"
#include "kernels/structure.h"
#include "kernels/transpose/transpose.h"

/* Floating-point elements have all their bits random but the exponent's upper two, which become 01: finite, normal
 * numbers, so that a library that multiplies by one on the way gives the same bits. */
struct exponent_bits {
    uint64_t clear, set;
};

static struct exponent_bits exponent_bits(enum element_type type)
{
    switch (type) {
    case ELEMENT_F16:
        return (struct exponent_bits){0x4000400040004000u, 0x2000200020002000u};
    case ELEMENT_F32:
    case ELEMENT_C64:
        return (struct exponent_bits){0x4000000040000000u, 0x2000000020000000u};
    case ELEMENT_F64:
    case ELEMENT_C128:
        return (struct exponent_bits){0x4000000000000000u, 0x2000000000000000u};
    default:
        return (struct exponent_bits){0, 0};
    }
}

/* Of 16 elements one is special: a NaN, quiet or signalling, of either sign, with a payload; a zero; a subnormal
 * number; an infinity. All other bits are random, so that NaNs and subnormals also come by themselves. */
static void specialize(enum element_type type, uint64_t word, unsigned char *element)
{
    const bool is_half = type == ELEMENT_F16, is_double = type == ELEMENT_F64 || type == ELEMENT_C128;
    const int bits = is_half ? 16 : is_double ? 64 : 32, fraction = is_half ? 10 : is_double ? 52 : 23;
    uint64_t payload = (word >> 8) & ((UINT64_C(1) << fraction) - 1), one = 1;
    uint64_t infinity = ((one << (bits - 1 - fraction)) - 1) << fraction, value = word >> 7 & 1 ? one << (bits - 1) : 0;
    switch (word >> 4 & 7) {
    case 0:
    case 1:
        value |= infinity | (payload & ~(one << (fraction - 1))) | 1; /* signalling */
        break;
    case 2:
        value |= infinity | payload | one << (fraction - 1); /* quiet */
        break;
    case 3:
    case 4:
        break; /* a zero */
    case 5:
    case 6:
        value |= payload | 1; /* subnormal */
        break;
    default:
        value |= infinity;
        break;
    }
    memcpy(element, &value, (size_t)bits / 8); /* little-endian */
}

static bool is_float(enum element_type type)
{
    return type == ELEMENT_F16 || type == ELEMENT_F32 || type == ELEMENT_F64 || type == ELEMENT_C64 ||
           type == ELEMENT_C128;
}

/* Integers are given the specials of the float of their size, if there is one: they are the same bits. */
static void fill_specials(const struct problem *problem, const struct array *array, unsigned char *data)
{
    size_t bytes = element_info(problem->type)->bytes, count = array->rows * array->cols;
    enum element_type type = problem->type;
    if (!is_float(type))
        type = bytes == 2 ? ELEMENT_F16 : bytes == 4 ? ELEMENT_F32 : ELEMENT_F64;
    if (bytes == 1)
        return;
#pragma omp parallel for schedule(static) if (is_worth_threads(count))
    for (size_t i = 0; i < count; i++) {
        uint64_t word = random_word(problem->seed ^ 0x5eed5eed, i);
        if (word % 16 == 0)
            specialize(type, word, data + i * bytes);
    }
}

#define LINES_FROM 4 /* sides that are long enough for a line of zeros */

/* One row and one column are zero: code that omits blocks of zeros, or takes them for padding, shows. */
static void clear_lines(const struct problem *problem, const struct array *array, unsigned char *data)
{
    size_t bytes = element_info(problem->type)->bytes, rows = array->rows, cols = array->cols;
    if (rows < LINES_FROM || cols < LINES_FROM)
        return;
    memset(data + random_word(problem->seed ^ 0x11e5, 0) % rows * cols * bytes, 0, cols * bytes);
    size_t col = random_word(problem->seed ^ 0x11e5, 1) % cols;
    for (size_t row = 0; row < rows; row++)
        memset(data + (row * cols + col) * bytes, 0, bytes);
}

/* A 1 is the bit pattern of the integer 1 in every type but floats, which would be subnormal there: in these it is any
 * other number. */
static void fill_structured(const struct problem *problem, const struct array *array, unsigned char *data)
{
    const size_t bytes = element_info(problem->type)->bytes, part = bytes < sizeof(uint64_t) ? bytes : sizeof(uint64_t);
    const struct exponent_bits exponent = exponent_bits(problem->type);
    const struct structure structure = structure_of(problem->seed, 0, array->rows, array->cols);
    const uint64_t one = is_float(problem->type) ? random_word(problem->seed, 1) : 1;
#pragma omp parallel for schedule(static) if (is_worth_threads(array->rows * array->cols))
    for (size_t row = 0; row < array->rows; row++)
        for (size_t col = 0; col < array->cols; col++) {
            uint64_t word = structure_word(&structure, row, col);
            if (word != STRUCTURE_WORD_0)
                word = ((word == STRUCTURE_WORD_1 ? one : word) & ~exponent.clear) | exponent.set;
            for (size_t at = 0; at < bytes; at += part)
                memcpy(data + (row * array->cols + col) * bytes + at, &word, part);
        }
}

static void fill_words(uint64_t seed, struct exponent_bits exponent, unsigned char *data, size_t bytes)
{
    const size_t words = bytes / sizeof(uint64_t);
#pragma omp parallel for schedule(static) if (is_worth_threads(words))
    for (size_t i = 0; i < words; i++) {
        uint64_t word = (random_word(seed, i) & ~exponent.clear) | exponent.set;
        memcpy(data + i * sizeof word, &word, sizeof word);
    }
    uint64_t last = (random_word(seed, words) & ~exponent.clear) | exponent.set;
    if (bytes % sizeof last != 0)
        memcpy(data + words * sizeof last, &last, bytes % sizeof last);
}

/* Gaps are as the elements beside them: an output that has of them is a wrong one. */
void transpose_fill(const struct problem *problem, const struct array *arrays, struct host_arrays host)
{
    unsigned char *data = host.data[0];
    const bool any = problem_size(problem, "input") == TRANSPOSE_INPUT_BITS;
    const struct exponent_bits exponent = any ? (struct exponent_bits){0, 0} : exponent_bits(problem->type);
    if (problem->values[TRANSPOSE_INPLACE].size == 0 && arrays[1].direction == ARRAY_INOUT)
        fill_words(problem->seed + 1, exponent, host.data[1], arrays[1].bytes);
    if (problem_size(problem, "input") == TRANSPOSE_INPUT_STRUCTURED) {
        fill_structured(problem, &arrays[0], data);
        return;
    }
    fill_words(problem->seed, exponent, data, arrays[0].bytes);
    if (!any)
        return;
    fill_specials(problem, &arrays[0], data);
    clear_lines(problem, &arrays[0], data);
}
