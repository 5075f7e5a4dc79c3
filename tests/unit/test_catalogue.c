/* Every rung of ours stands for a row of the catalogue, and every row is there: as a rung or as a command. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#undef fail /* ours is base/status.h's */
#define FAIL_WITH(...) (print_error(__VA_ARGS__), _fail(__FILE__, __LINE__))

#include "base/size.h"
#include "kernels/kernel.h"

static const struct {
    const char *kernel;
    const char *rows[16];
} catalogue[] = {
    {"transpose", {"T0", "T1", "T2", "T3", "T4", "T5", "T6", "T7"}},
    {"sort", {"S0", "S1", "S2", "S3", "S4"}},
    {"dot", {"D0", "D1", "D2", "D3"}},
    {"pipeline", {"P0"}},
    {"matmul", {"M0", "M1", "M2", "M3", "M4", "M5", "M6", "M7", "M8", "M9", "M10", "M11", "M12", "M13", "B10"}},
    {"resize", {"R0", "R1", "R2", "R3", "R4", "R5"}},
    {"wave", {"W"}},
};

static bool has_row(const struct kernel *kernel, const char *row)
{
    for (size_t i = 0; i < kernel->ladder_count; i++)
        if (strcmp(kernel->ladder[i].row, row) == 0)
            return true;
    for (const struct ladder_view *view = kernel->views; view && view->row; view++)
        if (strcmp(view->row, row) == 0)
            return true;
    return false;
}

static void test_every_row_is_there(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT_OF(catalogue); k++) {
        struct error error;
        const struct kernel *kernel = kernel_by_name(catalogue[k].kernel, &error);
        assert_non_null(kernel);
        for (size_t r = 0; catalogue[k].rows[r]; r++)
            if (!has_row(kernel, catalogue[k].rows[r]))
                FAIL_WITH("%s has nothing for row %s\n", kernel->name, catalogue[k].rows[r]);
    }
}

static void test_every_rung_has_a_row_of_its_kernel(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT_OF(catalogue); k++) {
        struct error error;
        const struct kernel *kernel = kernel_by_name(catalogue[k].kernel, &error);
        const struct rung *const *rungs;
        size_t count;
        assert_int_equal(kernel_rungs(kernel, &rungs, &count, &error), STATUS_OK);
        assert_int_equal(count, kernel->ladder_count);
        for (size_t i = 0; i < count; i++) {
            bool is_known = false;
            for (size_t r = 0; catalogue[k].rows[r]; r++)
                is_known |= strcmp(kernel->ladder[i].row, catalogue[k].rows[r]) == 0;
            if (!is_known)
                FAIL_WITH("%s: %s has the row '%s'\n", kernel->name, rungs[i]->name, kernel->ladder[i].row);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_row_is_there),
        cmocka_unit_test(test_every_rung_has_a_row_of_its_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
