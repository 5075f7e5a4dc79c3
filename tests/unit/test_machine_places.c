/* What warps load and store, from executed SASS: roles within a group, and what a group touches for the first time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "machine_launch.h"

#include <cmocka.h> /* last: it has a macro called fail */

/* Warps so long that the budget is used up by the first: the second one is the only one that loads. */
static void test_roles(void **state)
{
    (void)state;
    static const char listing[] = FUNCTION "/*0000*/ S2R R0, SR_TID.X ;\n"
                                           "/*0010*/ LDC.64 R2, c[0x0][0x210] ;\n"
                                           "/*0020*/ MOV R6, 0x10000 ;\n"
                                           ".L_1:\n"
                                           "/*0030*/ IADD3 R6, R6, -0x1, RZ ;\n"
                                           "/*0040*/ ISETP.GT.AND P1, PT, R6, RZ, PT ;\n"
                                           "/*0050*/ @P1 BRA `(.L_1) ;\n"
                                           "/*0060*/ ISETP.GT.AND P0, PT, R0, 0x1f, PT ;\n"
                                           "/*0070*/ @!P0 EXIT ;\n"
                                           "/*0080*/ LDG.E R5, desc[UR4][R2.64] ;\n"
                                           "/*0090*/ EXIT ;\n";
    struct explain_kernel kernel;
    count_launch(listing, 64, 1, false, &kernel);
    assert_true(kernel.executed[8] == 1);
    assert_int_equal(kernel.access_count, 1);
    assert_true(kernel.accesses[0].counts[0].requests == 1 && kernel.accesses[0].counts[0].transactions == 1);
    forget(&kernel);
}

/* Every item loads the same word twice, and stores it: a group touches the sector once by loads and once by stores. */
static void test_first_touches(void **state)
{
    (void)state;
    static const char listing[] = FUNCTION "/*0000*/ LDC.64 R2, c[0x0][0x210] ;\n"
                                           "/*0010*/ LDG.E R5, desc[UR4][R2.64] ;\n"
                                           "/*0020*/ LDG.E R6, desc[UR4][R2.64] ;\n"
                                           "/*0030*/ STG.E desc[UR4][R2.64], R5 ;\n"
                                           "/*0040*/ EXIT ;\n";
    struct explain_kernel kernel;
    count_launch(listing, 64, 2, false, &kernel);
    double loaded = 0, moved = 0, stored = 0;
    for (size_t i = 0; i < kernel.access_count; i++) {
        bool is_load = kernel.accesses[i].operation == EXPLAIN_LOAD;
        loaded += is_load ? kernel.accesses[i].first_bytes : 0;
        moved += is_load ? kernel.accesses[i].counts[0].bytes_moved : 0;
        stored += is_load ? 0 : kernel.accesses[i].first_bytes;
    }
    assert_true(moved == 2 * 2 * 2 * 32); /* groups, warps, loads, bytes of a sector */
    assert_true(loaded == 2 * 32 && stored == 2 * 32);
    forget(&kernel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_roles), cmocka_unit_test(test_first_touches)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
