/* Coverage of `uskor check`: a rung that is wrong at one remainder of one side is found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#undef fail /* ours is base/status.h's */

#include "backends/backend.h"
#include "kernels/kernel.h"
#include "lab/verification/check.h"
#include "lab/verification/check_draws.h"

#define WIDEST 16 /* elements that rungs take at once, in their innermost loops */

static int64_t field(const struct problem *problem, const char *name)
{
    return problem_size(problem, name);
}

/* Bit r: a side of at least WIDEST leaves r. Shorter ones are often another path. */
static unsigned remainders_of(const struct kernel *kernel, const char *side)
{
    unsigned met = 0;
    for (size_t i = 0; kernel->edge_cases[i]; i++) {
        struct problem problem;
        struct error error = {""};
        assert_int_equal(problem_parse(kernel->edge_cases[i], &problem, &error), STATUS_OK);
        int64_t size = problem_size(&problem, side);
        if (size >= WIDEST)
            met |= 1U << size % WIDEST;
    }
    return met;
}

static void every_remainder_of_every_side(void **state)
{
    (void)state;
    static const struct {
        const char *kernel, *sides[4];
    } table[] = {
        {"transpose", {"rows", "cols"}},
        {"sort", {"n"}},
        {"dot", {"n"}},
        {"pipeline", {"n"}},
        {"matmul", {"m", "n", "k"}},
        {"resize", {"width", "height", "out_width", "out_height"}},
        {"wave", {"nx", "ny", "nz"}},
    };
    size_t count = 0;
    while (kernels[count])
        count++;
    assert_int_equal(count, sizeof table / sizeof *table); /* a new kernel has a row here */
    for (size_t i = 0; i < count; i++)
        for (size_t s = 0; s < 4 && table[i].sides[s]; s++) {
            unsigned met = remainders_of(kernel_by_name(table[i].kernel, NULL), table[i].sides[s]);
            if (met != (1U << WIDEST) - 1)
                print_error("%s: %s: remainders met: %#x\n", table[i].kernel, table[i].sides[s], met);
            assert_int_equal(met, (1U << WIDEST) - 1);
        }
}

static bool is_of_type(const struct problem *problem, const struct kernel *kernel, size_t type)
{
    return kernel->moves_bits ? element_info(problem->type)->bytes == element_info(kernel->types[type])->bytes
                              : problem->type == kernel->types[type];
}

static unsigned remainders_beyond_tiles(const struct kernel *kernel, size_t type, size_t side,
                                        const struct problem *problems, size_t count)
{
    unsigned met = 0;
    for (size_t p = 0; p < count; p++)
        if (is_of_type(&problems[p], kernel, type) && problems[p].values[side].size >= 2 * WIDEST)
            met |= 1U << problems[p].values[side].size % WIDEST;
    return met;
}

/* … and beyond the tiles that rungs take at once, on every type. */
static void every_remainder_of_every_type(void **state)
{
    (void)state;
    struct error error = {""};
    struct device *cpu;
    assert_int_equal(device_open("cpu", &cpu, &error), STATUS_OK);
    for (size_t i = 0; kernels[i]; i++) {
        struct problem *problems;
        size_t count;
        assert_int_equal(check_problems(kernels[i], CHECK_ALL, cpu, 0, &problems, &count, &error), STATUS_OK);
        for (size_t type = 0; type < kernels[i]->type_count; type++)
            for (size_t f = 0; f < kernels[i]->field_count; f++)
                if (check_draw_is_side(kernels[i], &kernels[i]->fields[f]))
                    assert_int_equal(remainders_beyond_tiles(kernels[i], type, f, problems, count), (1U << WIDEST) - 1);
        free(problems);
    }
    device_close(cpu);
}

/* Whether the side leaves every remainder modulo `modulus` at lengths from `from`, on this type. */
static bool leaves_every_remainder(const struct kernel *kernel, size_t type, size_t side, int64_t from, int64_t modulus,
                                   const struct problem *problems, size_t count)
{
    uint64_t met = 0;
    for (size_t p = 0; p < count; p++)
        if (is_of_type(&problems[p], kernel, type) && problems[p].values[side].size >= from)
            met |= UINT64_C(1) << problems[p].values[side].size % modulus;
    return met == (modulus == 64 ? UINT64_MAX : (UINT64_C(1) << modulus) - 1);
}

/* … modulo the elements of a whole line where there are one or two sides, modulo 32 where there are more; and beyond
 * the blocks that rungs make for the caches. */
static void every_remainder_of_vectors_and_blocks(void **state)
{
    (void)state;
    struct error error = {""};
    struct device *cpu;
    assert_int_equal(device_open("cpu", &cpu, &error), STATUS_OK);
    for (size_t i = 0; kernels[i]; i++) {
        const struct kernel *kernel = kernels[i];
        struct problem *problems;
        size_t count, sides = 0;
        assert_int_equal(check_problems(kernel, CHECK_ALL, cpu, 0, &problems, &count, &error), STATUS_OK);
        for (size_t f = 0; f < kernel->field_count; f++)
            sides += check_draw_is_side(kernel, &kernel->fields[f]);
        for (size_t type = 0; type < kernel->type_count; type++)
            for (size_t f = 0; f < kernel->field_count; f++) {
                if (!check_draw_is_side(kernel, &kernel->fields[f]))
                    continue;
                assert_true(
                    leaves_every_remainder(kernel, type, f, sides < 3 ? 64 : 32, sides < 3 ? 64 : 32, problems, count));
                assert_true(leaves_every_remainder(kernel, type, f,
                                                   sides == 1   ? 8192
                                                   : sides == 2 ? 2048
                                                                : 640,
                                                   sides == 1 ? 64 : 16, problems, count));
            }
        free(problems);
    }
    device_close(cpu);
}

/* A device, too: every type, or element size, leaves every remainder modulo 16. */
static void every_remainder_on_devices(void **state)
{
    (void)state;
    struct error error = {""};
    for (size_t i = 0; kernels[i]; i++) {
        const struct kernel *kernel = kernels[i];
        struct problem *problems;
        size_t count;
        assert_int_equal(check_problems(kernel, CHECK_ALL, NULL, 0, &problems, &count, &error), STATUS_OK);
        for (size_t type = 0; type < kernel->type_count; type++)
            for (size_t f = 0; f < kernel->field_count; f++)
                if (check_draw_is_side(kernel, &kernel->fields[f])) {
                    const unsigned met = remainders_beyond_tiles(kernel, type, f, problems, count);
                    assert_int_equal(met, (1U << WIDEST) - 1);
                }
        free(problems);
    }
}

/* Transposed operands are other code, with remainders of its own. */
static void every_remainder_of_transposed_operands(void **state)
{
    (void)state;
    struct error error = {""};
    struct device *cpu;
    struct problem *problems;
    size_t count;
    uint32_t met[4][3] = {{0}};
    assert_int_equal(device_open("cpu", &cpu, &error), STATUS_OK);
    assert_int_equal(check_problems(kernel_by_name("matmul", NULL), CHECK_ALL, cpu, 0, &problems, &count, &error),
                     STATUS_OK);
    for (size_t p = 0; p < count; p++)
        if (problems[p].type == ELEMENT_F64) {
            uint32_t *sides = met[2 * field(&problems[p], "transa") + field(&problems[p], "transb")];
            sides[0] |= 1U << field(&problems[p], "m") % 32;
            sides[1] |= 1U << field(&problems[p], "n") % 32;
            sides[2] |= 1U << field(&problems[p], "k") % 32;
        }
    for (size_t i = 0; i < 12; i++)
        assert_int_equal(met[i / 3][i % 3], UINT32_MAX);
    free(problems);
    device_close(cpu);
}

/* One missing term of thousands is within the tolerance of random numbers. */
static void long_vectors_leave_every_remainder_exactly(void **state)
{
    (void)state;
    struct error error = {""};
    struct device *cpu;
    struct problem *problems;
    size_t count;
    uint64_t met = 0;
    assert_int_equal(device_open("cpu", &cpu, &error), STATUS_OK);
    assert_int_equal(check_problems(kernel_by_name("dot", NULL), CHECK_ALL, cpu, 0, &problems, &count, &error),
                     STATUS_OK);
    for (size_t p = 0; p < count; p++)
        if (problems[p].type == ELEMENT_F32 && problem_size(&problems[p], "n") > 8000 &&
            strstr(problem_text(&problems[p], (char[PROBLEM_TEXT_MAX]){""}), "input=integers"))
            met |= UINT64_C(1) << problem_size(&problems[p], "n") % 64;
    assert_true(met == UINT64_MAX);
    free(problems);
    device_close(cpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_remainder_of_every_side),
        cmocka_unit_test(every_remainder_of_every_type),
        cmocka_unit_test(every_remainder_of_vectors_and_blocks),
        cmocka_unit_test(every_remainder_on_devices),
        cmocka_unit_test(every_remainder_of_transposed_operands),
        cmocka_unit_test(long_vectors_leave_every_remainder_exactly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
