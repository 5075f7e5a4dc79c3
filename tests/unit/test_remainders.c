/* Coverage of `uskor check`: a rung that is wrong at one remainder of one side is found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#undef fail /* ours is base/status.h's */

#include "kernels/kernel.h"

#define WIDEST 16 /* elements that rungs take at once, in their innermost loops */

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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_remainder_of_every_side)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
