/* The inner loops of the matrix product's check, for each instruction set of this processor, and the products with
 * vectors that are made of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#undef fail /* ours is base/status.h's */

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/isa.h"
#include "base/random.h"
#include "kernels/matmul/check_loops.h"
#include "kernels/matmul/check_products.h"

static const size_t counts[] = {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 127, CHECK_CHUNK};

/* -4 … 4: sums of their products, and of those products' squares, are exact in any order. */
static double small_integer(size_t index)
{
    return (double)(random_word(7, index) % 9) - 4;
}

static void with_each_isa(void (*test)(const struct check_loops *))
{
    for (int isa = CPU_ISA_BASE; isa <= CPU_ISA_NEON; isa++) {
        assert_int_equal(setenv("USKOR_ISA", cpu_isa_name((enum cpu_isa)isa), 1), 0);
        cpu_isa_forget();
        if (cpu_isa() == (enum cpu_isa)isa)
            test(check_loops());
    }
    assert_int_equal(unsetenv("USKOR_ISA"), 0);
    cpu_isa_forget();
}

/* ---- loops ------------------------------------------------------------------------------------------------------ */

static void widen_count(const struct check_loops *loops, enum element_type type, size_t count)
{
    double data[CHECK_CHUNK + 1], numbers[CHECK_CHUNK + 1] = {0};
    for (size_t i = 0; i <= count; i++)
        element_put(type, data, i, ldexp((double)i + 1, (int)(i % 5) - 2));
    numbers[count] = -1;
    assert_true(loops->widen(type, data, 1, count, numbers));
    for (size_t i = 0; i < count; i++)
        assert_true(numbers[i] == element_number(type, data, i + 1));
    assert_true(numbers[count] == -1);
    for (size_t i = 0; i < count; i++) {
        const double kept = element_number(type, data, i + 1);
        element_put(type, data, i + 1, i % 2 ? (double)NAN : -(double)INFINITY);
        assert_false(loops->widen(type, data, 1, count, numbers));
        assert_true(i % 2 ? isnan(numbers[i]) : isinf(numbers[i]));
        assert_false(check_widen_finite(loops, type, data, 1, count, numbers));
        assert_true(numbers[i] == 0);
        element_put(type, data, i + 1, kept);
    }
}

static void widens(const struct check_loops *loops)
{
    static const enum element_type types[] = {ELEMENT_F16, ELEMENT_BF16, ELEMENT_F32, ELEMENT_F64};
    for (size_t t = 0; t < COUNT_OF(types); t++)
        for (size_t c = 0; c < COUNT_OF(counts); c++)
            widen_count(loops, types[t], counts[c]);
}

static void elements_are_widened_exactly(void **state)
{
    (void)state;
    with_each_isa(widens);
}

static void finds_largest(const struct check_loops *loops)
{
    for (size_t c = 0; c < COUNT_OF(counts); c++)
        for (size_t at = 0; at < counts[c]; at++) {
            double numbers[CHECK_CHUNK], most[CHECK_CHUNK];
            for (size_t i = 0; i < counts[c]; i++)
                numbers[i] = i % 2 ? 1 : -2, most[i] = 1.5;
            numbers[at] = at % 2 ? 3 : -3;
            assert_true(loops->largest(numbers, counts[c]) == 3);
            loops->raise_to(most, numbers, counts[c]);
            for (size_t i = 0; i < counts[c]; i++)
                assert_true(most[i] == (i == at ? 3 : i % 2 ? 1.5 : 2));
        }
}

static void the_largest_magnitude_is_found_anywhere(void **state)
{
    (void)state;
    with_each_isa(finds_largest);
}

static void multiplies_chunks(const struct check_loops *loops)
{
    for (size_t c = 0; c < COUNT_OF(counts); c++) {
        double numbers[CHECK_ROWS][CHECK_CHUNK], x[CHECK_CHUNK], below[CHECK_CHUNK], factors[CHECK_ROWS];
        double sums[CHECK_ROWS], right[CHECK_ROWS] = {0}, right_below[CHECK_CHUNK];
        for (size_t i = 0; i < counts[c]; i++) {
            x[i] = small_integer(i);
            below[i] = right_below[i] = 5;
        }
        for (size_t r = 0; r < CHECK_ROWS; r++) {
            factors[r] = small_integer(1000 + r);
            for (size_t i = 0; i < counts[c]; i++) {
                numbers[r][i] = small_integer(2000 + r * CHECK_CHUNK + i);
                right[r] += numbers[r][i] * x[i];
                right_below[i] += numbers[r][i] * factors[r];
            }
        }
        loops->multiply_rows(numbers, x, counts[c], sums);
        assert_memory_equal(sums, right, sizeof right);
        loops->multiply_columns(numbers, factors, counts[c], below);
        assert_memory_equal(below, right_below, counts[c] * sizeof *below);
        loops->square(numbers, counts[c]);
        for (size_t i = 0; i < counts[c]; i++) {
            const double number = small_integer(2000 + CHECK_CHUNK + i);
            assert_true(numbers[1][i] == number * number);
        }
    }
}

static void chunks_are_multiplied_both_ways(void **state)
{
    (void)state;
    with_each_isa(multiplies_chunks);
}

/* A number's significand has one bit before its 10 fraction bits: 11 bits of what frexp makes of it. */
static double to_tf32(double number)
{
    int exponent;
    const double significand = frexp(number, &exponent);
    return ldexp(round(ldexp(significand, 11)), exponent - 11);
}

static void rounds(const struct check_loops *loops)
{
    double numbers[4 * CHECK_TF32], rounded[4 * CHECK_TF32];
    for (size_t i = 0; i < COUNT_OF(numbers); i++)
        numbers[i] = (double)(float)ldexp((double)(int64_t)random_word(9, i), (int)(i % 60) - 90);
    numbers[0] = 1 + 0x1p-11; /* halfway: away from zero */
    numbers[1] = -1 - 0x1p-11;
    numbers[2] = 1 + 0x1p-11 - 0x1p-23;
    numbers[3] = 0;
    loops->round_to_tf32(numbers, COUNT_OF(numbers), rounded);
    for (size_t i = 0; i < COUNT_OF(numbers); i++)
        assert_true(rounded[i] == to_tf32(numbers[i]));
    assert_true(rounded[0] == 1 + 0x1p-10 && rounded[1] == -1 - 0x1p-10 && rounded[2] == 1);
    numbers[5] = (double)INFINITY;
    numbers[6] = (double)NAN;
    loops->round_to_tf32(numbers, COUNT_OF(numbers), rounded);
    assert_true(isinf(rounded[5]) && isnan(rounded[6]));
}

static void floats_are_rounded_to_tf32(void **state)
{
    (void)state;
    with_each_isa(rounds);
}

/* As far from a vector's alignment as doubles may be. */
static struct {
    double first;
    struct check_pieces pieces;
    check_block sum, squares, alone;
} apart __attribute__((aligned(64)));

static void multiplies_pieces(const struct check_loops *loops)
{
    struct check_pieces *const pieces = &apart.pieces;
    double(*const sum)[CHECK_BLOCK] = apart.sum, (*const squares)[CHECK_BLOCK] = apart.squares;
    double(*const alone)[CHECK_BLOCK] = apart.alone;
    static const size_t sides[][3] = {{1, 1, 1}, {3, 17, 5}, {8, 64, CHECK_DEPTH}, {64, 63, 31}, {64, 64, CHECK_DEPTH}};
    for (size_t s = 0; s < COUNT_OF(sides); s++) {
        const size_t rows = sides[s][0], cols = sides[s][1], depth = sides[s][2];
        memset(pieces, 0, sizeof *pieces);
        for (size_t k = 0; k < depth; k++) {
            for (size_t i = 0; i < rows; i++)
                pieces->a[i][k] = small_integer(i * CHECK_DEPTH + k);
            for (size_t j = 0; j < cols; j++)
                pieces->b[k][j] = small_integer(5000 + k * CHECK_BLOCK + j);
        }
        for (size_t i = 0; i < CHECK_BLOCK; i++)
            for (size_t j = 0; j < CHECK_BLOCK; j++)
                sum[i][j] = 1, squares[i][j] = 2, alone[i][j] = 3;
        loops->multiply_pieces(pieces, rows, cols, depth, sum, squares);
        loops->multiply_pieces(pieces, rows, cols, depth, alone, NULL);
        for (size_t i = 0; i < CHECK_BLOCK; i++)
            for (size_t j = 0; j < CHECK_BLOCK; j++) {
                double right = 0, right_squares = 0;
                for (size_t k = 0; i < rows && k < depth; k++) {
                    const double term = pieces->a[i][k] * pieces->b[k][j];
                    right += term, right_squares += term * term;
                }
                assert_true(sum[i][j] == 1 + right && squares[i][j] == 2 + right_squares && alone[i][j] == 3 + right);
            }
    }
}

static void pieces_are_multiplied(void **state)
{
    (void)state;
    with_each_isa(multiplies_pieces);
}

/* ---- products with vectors -------------------------------------------------------------------------------------- */

static void fill(struct vectors *vectors, size_t count, uint64_t seed, bool integers)
{
    for (size_t v = 0; v < CHECK_SUMS; v++) {
        vectors->of[v] = malloc(count * sizeof(double));
        for (size_t i = 0; i < count; i++) {
            const uint64_t word = random_word(seed, v * count + i);
            vectors->of[v][i] = integers ? (double)(word % 9) - 4 : (double)(int64_t)word;
        }
    }
}

static void release(struct vectors *vectors)
{
    for (size_t v = 0; v < CHECK_SUMS; v++)
        free(vectors->of[v]);
}

static double element_of(const struct matrix *s, size_t row, size_t col, size_t v)
{
    const double number = (double)((const float *)s->data)[row * s->stride + col];
    return v == CHECK_VECTORS ? number * number : number;
}

/* What check_multiply adds, of integers, is S·x and Sᵀ·x exactly. */
static void multiply_shape(size_t rows, size_t cols, bool plain, bool transposed)
{
    const size_t stride = cols + 3;
    float *data = malloc(rows * stride * sizeof *data);
    for (size_t i = 0; i < rows * stride; i++)
        data[i] = i % stride < cols ? (float)small_integer(i) : NAN;
    const struct matrix s = {data, ELEMENT_F32, rows, cols, stride};
    struct vectors x, y, along, down;
    fill(&x, cols, 1, true), fill(&along, rows, 2, true);
    fill(&y, rows, 3, true), fill(&down, cols, 4, true);
    struct vectors first_along, first_down;
    fill(&first_along, rows, 2, true), fill(&first_down, cols, 4, true);
    bool is_finite = true;
    assert_true(check_multiply(&s, plain ? (struct factor){&x, &along} : (struct factor){NULL, NULL},
                               transposed ? (struct factor){&y, &down} : (struct factor){NULL, NULL}, &is_finite));
    assert_true(is_finite);
    for (size_t v = 0; v < CHECK_SUMS; v++) {
        for (size_t row = 0; row < rows; row++)
            for (size_t col = 0; col < cols; col++) {
                first_along.of[v][row] += plain ? element_of(&s, row, col, v) * x.of[v][col] : 0;
                first_down.of[v][col] += transposed ? element_of(&s, row, col, v) * y.of[v][row] : 0;
            }
        assert_memory_equal(along.of[v], first_along.of[v], rows * sizeof(double));
        assert_memory_equal(down.of[v], first_down.of[v], cols * sizeof(double));
    }
    struct vectors *const all[] = {&x, &y, &along, &down, &first_along, &first_down};
    for (size_t i = 0; i < COUNT_OF(all); i++)
        release(all[i]);
    free(data);
}

static void matrices_of_any_shape_are_multiplied(void **state)
{
    (void)state;
    static const size_t shapes[][2] = {{1, 1}, {1, 9000}, {9000, 1}, {7, 129}, {300, 4100}, {517, 130}};
    for (size_t i = 0; i < COUNT_OF(shapes); i++)
        for (int which = 1; which < 4; which++)
            multiply_shape(shapes[i][0], shapes[i][1], which & 1, which & 2);
}

/* One row above and one behind the first group of rows, and the last element. */
static void what_is_not_finite_counts_as_zero_and_is_told(void **state)
{
    (void)state;
    static const size_t places[][2] = {{0, 0}, {CHECK_ROWS, 129}, {299, 4499}};
    enum { ROWS = 300, COLS = 4500 };
    float *data = calloc(ROWS * COLS, sizeof *data);
    const struct matrix s = {data, ELEMENT_F32, ROWS, COLS, COLS};
    for (size_t i = 0; i < COUNT_OF(places); i++) {
        struct vectors x, along;
        bool is_finite = true;
        fill(&x, COLS, 1, true), fill(&along, ROWS, 2, true);
        const double before = along.of[0][places[i][0]];
        data[places[i][0] * COLS + places[i][1]] = i ? NAN : INFINITY;
        assert_true(check_multiply(&s, (struct factor){&x, &along}, (struct factor){NULL, NULL}, &is_finite));
        assert_false(is_finite);
        assert_true(along.of[0][places[i][0]] == before);
        data[places[i][0] * COLS + places[i][1]] = 0;
        release(&x), release(&along);
    }
    free(data);
}

/* Sums that are rounded are the same bits with any number of threads. */
static void threads_do_not_change_sums(void **state)
{
    (void)state;
    enum { ROWS = 700, COLS = 5000 };
    const int threads = omp_get_max_threads();
    float *data = malloc(ROWS * COLS * sizeof *data);
    for (size_t i = 0; i < ROWS * COLS; i++)
        data[i] = (float)(int64_t)random_word(11, i);
    const struct matrix s = {data, ELEMENT_F32, ROWS, COLS, COLS};
    struct vectors x, y, along[2], down[2];
    fill(&x, COLS, 1, false), fill(&y, ROWS, 2, false);
    for (int i = 0; i < 2; i++) {
        fill(&along[i], ROWS, 3, false), fill(&down[i], COLS, 4, false);
        omp_set_num_threads(i ? 3 : 1);
        assert_true(check_multiply(&s, (struct factor){&x, &along[i]}, (struct factor){&y, &down[i]}, NULL));
    }
    omp_set_num_threads(threads);
    for (size_t v = 0; v < CHECK_SUMS; v++) {
        assert_memory_equal(along[0].of[v], along[1].of[v], ROWS * sizeof(double));
        assert_memory_equal(down[0].of[v], down[1].of[v], COLS * sizeof(double));
    }
    release(&x), release(&y);
    for (int i = 0; i < 2; i++)
        release(&along[i]), release(&down[i]);
    free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_are_widened_exactly),
        cmocka_unit_test(the_largest_magnitude_is_found_anywhere),
        cmocka_unit_test(chunks_are_multiplied_both_ways),
        cmocka_unit_test(floats_are_rounded_to_tf32),
        cmocka_unit_test(pieces_are_multiplied),
        cmocka_unit_test(matrices_of_any_shape_are_multiplied),
        cmocka_unit_test(what_is_not_finite_counts_as_zero_and_is_told),
        cmocka_unit_test(threads_do_not_change_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
