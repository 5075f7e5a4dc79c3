/* Short cuts for kinds of inputs: what a rung does there is tried among the drawn problems of a check. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <omp.h>

#include <cmocka.h>
#undef fail /* ours is base/status.h's */

#include "between.h"
#include "verdicts.h"

#include "base/size.h"
#include "kernels/structure.h"
#include "lab/verification/check.h"
#include "lab/verification/check_draws.h"

/* ---- the kinds ------------------------------------------------------------------------------------------------ */

#define ROWS 9
#define COLS 7

static uint64_t expected_word(const struct structure *s, size_t row, size_t col)
{
    const uint64_t one_or_none = row == col ? 1 : 0, word = structure_word(s, row, col);
    switch (s->kind) {
    case STRUCTURE_UNIT:
        return one_or_none;
    case STRUCTURE_DIAGONAL:
        return row == 0 || row != col ? one_or_none : word;
    case STRUCTURE_SYMMETRIC:
        return row < COLS ? structure_word(s, col, row) : word;
    case STRUCTURE_ROWS:
        return structure_word(s, row, (col + 1) % COLS);
    case STRUCTURE_EQUAL:
        return structure_word(s, (row + 1) % ROWS, (col + 2) % COLS);
    case STRUCTURE_COLUMNS:
        return structure_word(s, (row + 1) % ROWS, col);
    case STRUCTURE_TRIANGULAR:
        return row > col ? word : one_or_none;
    case STRUCTURE_ZERO:
        return 0;
    default:
        return word;
    }
}

static size_t count_other_than_zero(const struct structure *s, size_t rows)
{
    size_t count = 0;
    for (size_t row = 0; row < rows; row++)
        for (size_t col = 0; col < COLS; col++)
            count += structure_word(s, row, col) != 0;
    return count;
}

/* Twenty seeds have each kind with and without a departure, which is one element. */
static void each_kind_with_and_without_a_departure(void **state)
{
    (void)state;
    unsigned met[2] = {0, 0};
    for (uint32_t seed = 40; seed < 60; seed++) {
        const struct structure s = structure_of(seed, 0, ROWS, COLS);
        const bool departs = s.row != SIZE_MAX;
        met[departs] |= 1U << s.kind;
        struct structure pure = s;
        pure.row = pure.col = SIZE_MAX;
        size_t differing = 0;
        for (size_t row = 0; row < ROWS; row++)
            for (size_t col = 0; col < COLS; col++) {
                assert_true(structure_word(&pure, row, col) == expected_word(&pure, row, col));
                differing += structure_word(&pure, row, col) != structure_word(&s, row, col);
            }
        assert_int_equal(differing, departs);
        if (s.kind == STRUCTURE_SINGLE)
            assert_int_equal(count_other_than_zero(&pure, ROWS), 1);
        if (s.kind == STRUCTURE_SPARSE)
            assert_between(count_other_than_zero(&pure, 10000), 10000 * COLS / 32, 10000 * COLS / 8);
    }
    assert_int_equal(met[0], (1U << STRUCTURE_KINDS) - 1);
    assert_int_equal(met[1], (1U << STRUCTURE_KINDS) - 1);
}

/* ---- short cuts ----------------------------------------------------------------------------------------------- */

/* Each takes what it sees in the first elements for all of them; elsewhere the ladder's own rung runs. */
static const struct rung *honest;

/* A unit matrix is known by its corner. */
static enum status unit_matrix(struct run *run, struct error *error)
{
    const float *a = run->buffers[0].host, *b = run->buffers[1].host;
    float *c = run->buffers[2].host;
    const size_t m = (size_t)problem_size(run->problem, "m"), n = (size_t)problem_size(run->problem, "n"),
                 k = (size_t)problem_size(run->problem, "k");
    if (m < 2 || n == 0 || k < 2 || a[0] != 1 || a[1] != 0)
        return honest->enqueue(run, error);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++)
            c[i * n + j] = i < k ? b[i * n + j] : 0;
    return STATUS_OK;
}

static enum status symmetric(struct run *run, struct error *error)
{
    const float *in = run->buffers[0].host;
    const size_t rows = (size_t)problem_size(run->problem, "rows"), cols = (size_t)problem_size(run->problem, "cols");
    if (rows < 2 || cols < 2 || in[1] != in[cols])
        return honest->enqueue(run, error);
    memcpy(run->buffers[1].host, in, rows * cols * sizeof *in);
    return STATUS_OK;
}

static enum status nothing_but_zeros(struct run *run, struct error *error)
{
    const float *a = run->buffers[0].host;
    if (problem_size(run->problem, "n") < 2 || a[0] != 0 || a[1] != 0)
        return honest->enqueue(run, error);
    *(double *)run->buffers[2].host = 0;
    return STATUS_OK;
}

static enum status in_order_already(struct run *run, struct error *error)
{
    const float *data = run->buffers[0].host;
    const size_t count = (size_t)problem_size(run->problem, "n");
    for (size_t i = 1; i < count && i < 64; i++)
        if (data[i - 1] > data[i] || data[i - 1] != data[i - 1])
            return honest->enqueue(run, error);
    return STATUS_OK; /* so it is taken for sorted */
}

static enum status one_colour(struct run *run, struct error *error)
{
    const uint32_t *in = run->buffers[0].host;
    uint32_t *out = run->buffers[1].host;
    if (problem_size(run->problem, "width") < 2 || in[0] != in[1])
        return honest->enqueue(run, error);
    const size_t count = (size_t)(problem_size(run->problem, "out_width") * problem_size(run->problem, "out_height"));
    for (size_t i = 0; i < count; i++)
        out[i] = in[0];
    return STATUS_OK;
}

static enum status still_water(struct run *run, struct error *error)
{
    const float *previous = run->buffers[0].host, *current = run->buffers[1].host;
    if (problem_size(run->problem, "nx") < 2 || current[0] != previous[0] || current[1] != current[0])
        return honest->enqueue(run, error);
    const size_t count = (size_t)(problem_size(run->problem, "nx") * problem_size(run->problem, "ny") *
                                  problem_size(run->problem, "nz"));
    memcpy(run->buffers[2].host, current, count * sizeof *current);
    return STATUS_OK;
}

/* The light one of the drawn problems that `try` has on a device. */
static struct measurement verdict_on(const struct kernel *kernel, const struct rung *rung, struct device *cpu)
{
    const struct draw_target target = {kernel, rung, cpu, NULL, kernel->types[0]};
    struct problem problem;
    struct measurement_list list = {0};
    struct error error = {""};
    assert_true(check_draw_served(&target, 1, 0, DRAW_LIGHT, &problem));
    assert_int_equal(lab_check(&problem, cpu, &rung, 1, NULL, &list, &error), STATUS_OK);
    const struct measurement measured = list.items[0]; /* of a check, it has no samples */
    measurement_list_free(&list);
    return measured;
}

static void short_cuts_are_tried(void **state)
{
    (void)state;
    static const struct {
        const char *kernel, *honest;
        enum status (*enqueue)(struct run *run, struct error *error);
    } table[] = {
        {"matmul", "blocked", unit_matrix},  {"transpose", "serial", symmetric}, {"dot", "serial", nothing_but_zeros},
        {"sort", "qsort", in_order_already}, {"resize", "parallel", one_colour}, {"wave", "simd", still_water},
    };
    struct error error = {""};
    struct device *cpu;
    omp_set_num_threads(1); /* two would wait for each other */
    assert_int_equal(device_open("cpu", &cpu, &error), STATUS_OK);
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        const struct kernel *kernel = kernel_by_name(table[i].kernel, NULL);
        honest = rung_by_name(kernel, table[i].honest, &error);
        struct rung rung = *honest;
        rung.enqueue = table[i].enqueue;
        const struct measurement right = verdict_on(kernel, honest, cpu), cut_short = verdict_on(kernel, &rung, cpu);
        expect_reason(&right, VERDICT_PASS, "");
        expect_reason(&cut_short, VERDICT_FAIL, "");
    }
    device_close(cpu);
}

static enum status has_no_room(struct device *device, size_t bytes, struct buffer *buffer, struct error *error)
{
    (void)device, (void)bytes, (void)buffer;
    return fail(error, STATUS_UNAVAILABLE, "no buffer of that size");
}

/* A problem that does not fit on a device is skipped; the check goes on with the next one. */
static void what_has_no_room_is_skipped(void **state)
{
    (void)state;
    struct error error = {""};
    struct problem problem;
    struct measurement_list list = {0};
    struct device *cpu;
    assert_int_equal(device_open("cpu", &cpu, &error), STATUS_OK);
    const struct backend *usual = cpu->backend;
    struct backend small = *usual;
    small.allocate = has_no_room;
    cpu->backend = &small;
    const struct rung *rung = rung_by_name(kernel_by_name("dot", NULL), "serial", &error);
    assert_int_equal(problem_parse("dot:n=10", &problem, &error), STATUS_OK);
    assert_int_equal(lab_check(&problem, cpu, &rung, 1, NULL, &list, &error), STATUS_OK);
    cpu->backend = usual;
    assert_int_equal(list.count, 1);
    expect_reason(&list.items[0], VERDICT_SKIP, "no buffer of that size");
    measurement_list_free(&list);
    device_close(cpu);
}

/* What is added to a product has the structures, too: code may leave out zeros there. */
static void structures_of_what_is_added(void **state)
{
    (void)state;
    enum { ROWS_OF_C = 12, COLS_OF_C = 9 };
    size_t zero = 0, with_zeros = 0;
    for (int seed = 1; seed <= STRUCTURE_SEEDS; seed++) {
        float a[ROWS_OF_C * 7], b[7 * COLS_OF_C], c[ROWS_OF_C * COLS_OF_C];
        char text[96];
        struct problem problem;
        struct error error = {""};
        struct array arrays[KERNEL_ARRAYS_MAX];
        int count;
        snprintf(text, sizeof text, "matmul:m=12,n=9,k=7,alpha=2,beta=-1,input=structured,seed=%d", seed);
        assert_int_equal(problem_parse(text, &problem, &error), STATUS_OK);
        assert_int_equal(kernel_describe(&problem, arrays, &count, &error), STATUS_OK);
        problem.kernel->fill(&problem, arrays, (struct host_arrays){{a, b, c}});
        size_t zeros = 0;
        for (size_t i = 0; i < COUNT_OF(c); i++)
            zeros += c[i] == 0;
        zero += zeros == COUNT_OF(c);
        with_zeros += zeros > 0 && zeros < COUNT_OF(c);
    }
    assert_true(zero > 0);
    assert_true(with_zeros > 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_with_and_without_a_departure),
        cmocka_unit_test(short_cuts_are_tried),
        cmocka_unit_test(what_has_no_room_is_skipped),
        cmocka_unit_test(structures_of_what_is_added),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
