#include <math.h>

#include "base/random.h"
#include "base/size.h"
#include "kernels/matmul/matmul.h"

#define WIDE_EXPONENT 50 /* sums of 2^26 products of such numbers stay finite in a float */
#define SPRINKLED 8      /* special numbers in each array: few, as each of them spoils a row or a column of C */

/* Each array has words of its own for its numbers, and for the rows and columns of its special numbers. */
enum purpose { NUMBERS, SPECIAL_ROWS, SPECIAL_COLUMNS };

static uint64_t word_of(const struct problem *problem, int array, enum purpose purpose, size_t index)
{
    return random_word(problem->seed, (uint64_t)(array * 4 + (int)purpose) << 56 | index);
}

static double signed_value(uint64_t word)
{
    return (double)(int64_t)(word >> 11) * 0x1p-52 - 1;
}

/* A random sign and mantissa, and an exponent that is as likely as any other. */
static double wide_value(uint64_t word)
{
    int exponent = (int)(word % (2 * WIDE_EXPONENT + 1)) - WIDE_EXPONENT;
    double magnitude = ldexp(1 + (double)(word >> 11) * 0x1p-53, exponent);
    return word >> 10 & 1 ? -magnitude : magnitude;
}

static double value(enum matmul_input input, uint64_t word)
{
    switch (input) {
    case INPUT_UNIT:
        return (double)(word >> 11) * 0x1p-53;
    case INPUT_WIDE:
        return wide_value(word);
    default:
        return signed_value(word);
    }
}

static void put(const struct array *array, void *data, size_t index, double number)
{
    if (array->type == ELEMENT_F32)
        ((float *)data)[index] = (float)number;
    else
        ((double *)data)[index] = number;
}

static void sprinkle(const struct problem *problem, const struct array *array, void *data, int number, size_t cols)
{
    static const double specials[] = {NAN, INFINITY, -INFINITY, 0};
    for (size_t i = 0; i < SPRINKLED && array->rows > 0 && cols > 0; i++) {
        size_t row = word_of(problem, number, SPECIAL_ROWS, i) % array->rows;
        size_t col = word_of(problem, number, SPECIAL_COLUMNS, i) % cols;
        put(array, data, row * array->cols + col, specials[i % COUNT_OF(specials)]);
    }
}

/* What stands behind each row is NaN in A and B, so that a product which takes it in is seen; in C it is numbers, which
 * must stay. A C that is not read is NaN, as if poisoned. */
static void fill_array(const struct problem *problem, const struct array *array, void *data, int number, size_t padding)
{
    enum matmul_input input = (enum matmul_input)problem_size(problem, "input");
    size_t cols = array->cols - padding;
    bool unread = number == 2 && problem_real(problem, "beta") == 0;
#pragma omp parallel for schedule(static)
    for (size_t row = 0; row < array->rows; row++)
        for (size_t col = 0; col < array->cols; col++) {
            size_t index = row * array->cols + col;
            bool absent = col < cols ? unread : number != 2;
            put(array, data, index, absent ? (double)NAN : value(input, word_of(problem, number, NUMBERS, index)));
        }
    if (input == INPUT_SPECIAL && !unread)
        sprinkle(problem, array, data, number, cols);
}

void matmul_fill(const struct problem *problem, const struct array *arrays, struct host_arrays host)
{
    static const char *const paddings[] = {"lda_pad", "ldb_pad", "ldc_pad"};
    for (int i = 0; i < 3; i++)
        if (arrays[i].direction != ARRAY_OUT)
            fill_array(problem, &arrays[i], host.data[i], i, (size_t)problem_size(problem, paddings[i]));
}
