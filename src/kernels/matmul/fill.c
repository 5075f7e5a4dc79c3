#include <math.h>

#include "base/random.h"
#include "base/size.h"
#include "base/worth_threads.h"
#include "kernels/matmul/matmul.h"
#include "kernels/structure.h"

#define WIDE_EXPONENT 50 /* sums of 2^26 products of such numbers stay finite in a float */
#define WIDE_F16 6       /* there sums stay finite in f16, mostly */
#define SPRINKLED 8      /* special numbers in each array: few, as each affects a whole row or column of C */

/* One of the three arrays and its requested contents. */
struct source {
    const struct problem *problem;
    int array;
    bool depth_is_row; /* in the stored array, the depth runs down the columns */
    size_t rows;       /* of one product's matrix */
    enum matmul_input input;
    unsigned digits; /* of the mantissa of sums, */
    unsigned own;    /* and of elements */
    size_t depth;
    struct structure structure;
};

/* Each array has separate random sequences for its numbers and for its rows and columns of special numbers. */
enum purpose { NUMBERS, SPECIAL_ROWS, SPECIAL_COLUMNS, LINES };

static uint64_t word_of(const struct problem *problem, int array, enum purpose purpose, size_t index)
{
    return random_word(problem->seed, (uint64_t)(array * 4 + (int)purpose) << 56 | index);
}

static double signed_value(uint64_t word)
{
    return (double)(int64_t)(word >> 11) * 0x1p-52 - 1;
}

/* From two uniform numbers (Box and Muller, 1958). */
static double normal_value(uint64_t word)
{
    const double radius = ((double)(word >> 32) + 1) * 0x1p-32, turn = (double)(word & 0xffffffffu) * 0x1p-32;
    return sqrt(-2 * log(radius)) * cos(2 * M_PI * turn);
}

/* A random sign and mantissa, and an exponent uniformly distributed from -most to most. */
static double wide_value(uint64_t word, int most, enum element_type type)
{
    most = type == ELEMENT_F16 && most > WIDE_F16 ? WIDE_F16 : most;
    int exponent = (int)(word % (2 * (unsigned)most + 1)) - most;
    double magnitude = ldexp(1 + (double)(word >> 11) * 0x1p-53, exponent);
    return word >> 10 & 1 ? -magnitude : magnitude;
}

/* ---- the ends of the range ------------------------------------------------------------------------------------ */

/* Exponents. A tiny product multiplies subnormal numbers by large ones; in every fourth column by ordinary ones, so
 * that results are subnormal, too. A huge product multiplies large numbers by ordinary ones. Every fourth column has
 * subnormal numbers. Another fourth of the columns is all positive, and rows overflow there: some have only positive
 * terms, some only negative. */
struct ends {
    int subnormal, tiny_large, tiny_ordinary, large, ordinary, over;
};

static struct ends ends_of(enum element_type type)
{
    return type == ELEMENT_F64   ? (struct ends){-1022, 980, -4, 1000, -14, 60}
           : type == ELEMENT_F16 ? (struct ends){-14, 12, -4, 15, -8, 4} /* the results overflow, not their sums */
                                 : (struct ends){-126, 112, -4, 120, -14, 20};
}

enum { MIXED, ABOVE, BELOW, KINDS = 4 };

/* The kind of a line (a row of op(A), a column of op(B)). */
static int kind_of(const struct source *source, size_t line)
{
    return (int)(word_of(source->problem, source->array, LINES, line) % KINDS);
}

static double tiny_value(const struct source *source, size_t line, uint64_t word)
{
    struct ends ends = ends_of(source->problem->type);
    int exponent = ends.subnormal;
    if (source->array == 1)
        exponent = kind_of(source, line) == ABOVE ? ends.tiny_ordinary : ends.tiny_large;
    return ldexp(signed_value(word), exponent);
}

static double huge_value(const struct source *source, size_t line, uint64_t word)
{
    struct ends ends = ends_of(source->problem->type);
    int kind = kind_of(source, line);
    double value = signed_value(word), half = (fabs(value) + 1) / 2;
    if (source->array == 0)
        return ldexp(kind == ABOVE ? half : kind == BELOW ? -half : value, ends.large);
    if (source->array == 2)
        return ldexp(value, ends.large);
    return kind == ABOVE   ? ldexp(half, ends.over)
           : kind == BELOW ? ldexp(value, ends.subnormal)
                           : ldexp(value, ends.ordinary);
}

/* ---- integers ------------------------------------------------------------------------------------------------- */

/* All sums, in every order, are below 2^24 (2^53), and every bit of every factor counts. Nearly all of A and B is 1 or
 * -1. At some depths, evenly distributed, A is long and B is 1 or -1, or the reverse, or both have medium length.
 * Rounding A or B, or omitting the product of their lower halves, causes an error of at least 1. With 24 digits the
 * magnitudes at all depths add up to less than 15 · 2^20, plus one for each ordinary depth. Elements of 16 bits have
 * fewer digits, and sums with as many. */
#define F16_DIGITS 11 /* their results are to fit, too */
enum { DEPTHS = 22, FIRST_LONG_B = 2 + 8, FIRST_BOTH = FIRST_LONG_B + 8, ORDINARY = DEPTHS };

/* The kind of depth k of K. */
static unsigned depth_kind(const struct source *source, size_t k)
{
    const struct problem *problem = source->problem;
    size_t step = source->depth / DEPTHS;
    size_t stretch = step ? k / step : k;
    bool here = !step || (stretch < DEPTHS && k % step == word_of(problem, 3, NUMBERS, stretch) % step);
    return here ? (unsigned)((stretch + problem->seed) % DEPTHS) : (unsigned)ORDINARY;
}

/* An odd integer of this many bits; a long one is only slightly above its power of two. */
static double odd_of(const struct source *source, unsigned bits, uint64_t word)
{
    bits = bits < source->own ? bits : source->own;
    uint64_t top = UINT64_C(1) << (bits - 1), low = word >> 8;
    double value = (double)(top | (low & ((bits > 20 ? top >> 3 : top) - 1)) | 1);
    return word & 1 ? -value : value;
}

/* The element of A or B at depth k. */
static double integer_value(const struct source *source, size_t k, uint64_t word)
{
    unsigned digits = source->digits, kind = depth_kind(source, k);
    /* Many ordinary depths leave less room: the longest integers are then shorter, and some ones are 0. */
    double depth = (double)source->depth, room = ldexp(1, (int)digits - 4);
    unsigned longest = depth > room ? digits - 4 : digits;
    bool is_long = source->array == 0 ? kind == 0 || (kind >= 2 && kind < FIRST_LONG_B)
                                      : kind == 1 || (kind >= FIRST_LONG_B && kind < FIRST_BOTH);
    if (kind >= FIRST_BOTH && kind < ORDINARY)
        return odd_of(source, (digits - 6) / 2 - (source->own == F16_DIGITS ? 3 : 0), word);
    if (is_long)
        return odd_of(source, kind == 0 ? longest : kind == 1 ? longest - 3 : digits - 7, word);
    bool none = kind == ORDINARY && depth > room &&
                (double)(word_of(source->problem, 3, LINES, k) >> 11) * 0x1p-53 * depth > 8 * room;
    return none ? 0 : word & 1 ? 1 : -1;
}

/* ---- structures ----------------------------------------------------------------------------------------------- */

#define C_MOST 2000 /* of C's integers, structured or not */

static int64_t old_most(const struct source *source)
{
    const int64_t most = (INT64_C(1) << source->own) - 1;
    return most < C_MOST ? most : C_MOST;
}

/* Sums of |a b| are at most 15 · 2^20 (2^49), as with other integers; beyond so many depths the rest is 0. */
static double structured_value(const struct source *source, size_t row, size_t col, size_t k)
{
    const double room = 15 * ldexp(1, (int)source->digits - 4), most = sqrt(room / (double)source->depth);
    const int64_t magnitude = source->array == 2 ? old_most(source) : most < 1 ? 1 : most > 100 ? 100 : (int64_t)most;
    const uint64_t word = structure_word(&source->structure, row, col);
    if ((double)k >= room)
        return 0;
    return word <= STRUCTURE_WORD_1 ? (double)word : (double)((int64_t)(word >> 32) % (2 * magnitude + 1) - magnitude);
}

/* ---- all ------------------------------------------------------------------------------------------------------ */

static double value(enum matmul_input input, enum element_type type, uint64_t word)
{
    switch (input) {
    case INPUT_UNIT:
        return (double)(word >> 11) * 0x1p-53;
    case INPUT_WIDE:
        return wide_value(word, WIDE_EXPONENT, type);
    case INPUT_NORMAL:
        return normal_value(word);
    case INPUT_WIDE_17:
        return wide_value(word, 8, type);
    case INPUT_WIDE_61:
        return wide_value(word, 30, type);
    default:
        return signed_value(word);
    }
}

/* The element at (row, col) of a stored array of `cols` columns. The lines of a batch's products are numbered through,
 * so products differ in their special lines, too. */
static double number_at(const struct source *source, size_t row, size_t col, size_t cols, uint64_t word)
{
    const size_t product = row / source->rows, k = source->depth_is_row ? row % source->rows : col;
    const size_t line = source->depth_is_row ? product * cols + col : row;
    switch (source->input) {
    case INPUT_INTEGERS:
        return source->array == 2 ? (double)((int64_t)(word % (2 * (uint64_t)old_most(source) + 1)) - old_most(source))
                                  : integer_value(source, k, word);
    case INPUT_STRUCTURED:
        return structured_value(source, row % source->rows, col, source->array == 2 ? 0 : k);
    case INPUT_TINY:
        return tiny_value(source, line, word);
    case INPUT_HUGE:
        return huge_value(source, line, word);
    default:
        return value(source->input, source->problem->type, word);
    }
}

static size_t stored_rows(const struct problem *problem, int number)
{
    const struct product p = product_of(problem, NULL, NULL, NULL);
    return product_layout(&p, number).rows;
}

static struct source source_of(const struct problem *problem, const struct array *array, int number)
{
    bool turned = number < 2 && problem_size(problem, number == 0 ? "transa" : "transb") != 0;
    return (struct source){
        .problem = problem,
        .array = number,
        .depth_is_row = number == 0 ? turned : !turned,
        .rows = stored_rows(problem, number),
        .input = (enum matmul_input)problem_size(problem, "input"),
        .digits = problem->type == ELEMENT_F64 ? 53 : 24,
        .own = (unsigned)-ilogb(element_epsilon(array->type)),
        .depth = (size_t)problem_size(problem, "k"),
    };
}

#define LINES_FROM 4 /* sides that are long enough for a line of zeros */

/* One stored row and one column of all of A and of B are zero: code that omits zeros shows, as C still has its part. */
static void clear_lines(const struct problem *problem, const struct array *array, void *data, int number, size_t cols)
{
    if (array->rows < LINES_FROM || cols < LINES_FROM || number == 2)
        return;
    size_t row = word_of(problem, number, LINES, 0) % array->rows, col = word_of(problem, number, LINES, 1) % cols;
    for (size_t i = 0; i < cols; i++)
        element_put(array->type, data, row * array->cols + i, 0);
    for (size_t i = 0; i < array->rows; i++)
        element_put(array->type, data, i * array->cols + col, 0);
}

static void sprinkle(const struct problem *problem, const struct array *array, void *data, int number, size_t cols)
{
    static const double specials[] = {NAN, INFINITY, -INFINITY, 0};
    for (size_t i = 0; i < SPRINKLED && array->rows > 0 && cols > 0; i++) {
        size_t row = word_of(problem, number, SPECIAL_ROWS, i) % array->rows;
        size_t col = word_of(problem, number, SPECIAL_COLUMNS, i) % cols;
        element_put(array->type, data, row * array->cols + col, specials[i % COUNT_OF(specials)]);
    }
}

/* The padding of A and B is NaN, so that a product that reads it is detected. The padding of C is numbers, which must
 * stay unchanged. A C that is not read is NaN, as if poisoned. */
static void fill_array(const struct problem *problem, const struct array *array, void *data, int number)
{
    const struct source source = source_of(problem, array, number);
    const struct product p = product_of(problem, NULL, NULL, NULL);
    const struct layout layout = product_layout(&p, number);
    const bool unread = number == 2 && p.beta == 0, follows = layout.step == layout.rows * layout.pitch;
    const size_t cols = layout.cols;
    for (size_t i = 0; !follows && i < array->rows * array->cols; i++) /* gaps, and what matrices share, last of all */
        element_put(array->type, data, i,
                    number != 2 ? (double)NAN : number_at(&source, 0, i, cols, word_of(problem, number, NUMBERS, i)));
#pragma omp parallel for schedule(static) if (follows && is_worth_threads(layout.batch * layout.rows * layout.cols))
    for (size_t row = 0; row < layout.batch * layout.rows; row++) {
        struct source own = source;
        const size_t begin = layout_row(&layout, row / layout.rows, row % layout.rows);
        if (source.input == INPUT_STRUCTURED) /* each product has a structure of its own */
            own.structure =
                structure_of(problem->seed + (uint32_t)(row / source.rows), (unsigned)number, source.rows, cols);
        for (size_t col = 0; col < (follows ? layout.pitch : cols); col++) {
            const size_t index = begin + col;
            bool absent = col < cols ? unread : number != 2;
            uint64_t word = word_of(problem, number, NUMBERS, index);
            element_put(array->type, data, index, absent ? (double)NAN : number_at(&own, row, col, cols, word));
        }
    }
    if (!follows)
        return;
    if (source.input != INPUT_SPECIAL || unread)
        return;
    clear_lines(problem, array, data, number, cols);
    sprinkle(problem, array, data, number, cols);
}

/* Far from every result, and 0 times it is 0. */
void matmul_fill_unread(const struct problem *problem, const struct array *arrays, struct host_arrays host)
{
    const struct product p = product_of(problem, NULL, NULL, NULL);
    const struct layout layout = product_layout(&p, 2);
    if (arrays[2].direction == ARRAY_OUT || p.beta != 0)
        return;
#pragma omp parallel for schedule(static) if (is_worth_threads(layout.batch * layout.rows * layout.cols))
    for (size_t row = 0; row < layout.batch * layout.rows; row++)
        for (size_t col = 0; col < layout.cols; col++) {
            const size_t index = layout_row(&layout, row / layout.rows, row % layout.rows) + col;
            const double number = 3 + signed_value(word_of(problem, 2, NUMBERS, index));
            element_put(arrays[2].type, host.data[2], index, ldexp(number, arrays[2].type == ELEMENT_F16 ? 13 : 64));
        }
}

void matmul_fill(const struct problem *problem, const struct array *arrays, struct host_arrays host)
{
    for (int i = 0; i < 3; i++)
        if (arrays[i].direction != ARRAY_OUT)
            fill_array(problem, &arrays[i], host.data[i], i);
}
