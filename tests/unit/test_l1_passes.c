/* Passes of an access through the first cache: beside Nsight Compute's counters (results/h200/explain-l1-passes.txt).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "base/size.h"
#include "explain/memory/rules.h"

#include <cmocka.h>

static struct warp_access strided(uint64_t stride, unsigned bytes)
{
    struct warp_access access = {.kind = 0, .bytes = bytes, .mask = 0xffffffff};
    for (unsigned i = 0; i < WARP_LANES; i++)
        access.at[i] = 4096 + i * stride;
    return access;
}

/* By words between neighbouring items: clocks of the tags where all data are in other banks, else passes of the data,
 * clock by clock. */
static void test_strides(void **state)
{
    (void)state;
    static const struct {
        unsigned words, lines, passes;
    } rows[] = {{0, 1, 1},      {1, 1, 1},     {3, 3, 1},   {33, 32, 8},  {35, 32, 9},    {125, 32, 9},
                {5001, 32, 10}, {2049, 32, 8}, {63, 32, 9}, {32, 32, 32}, {1024, 32, 32}, {64, 32, 32}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct warp_access access = strided(4 * rows[i].words, 4);
        struct l1_counts counts = l1_count(&access);
        if (counts.lines != rows[i].lines || counts.passes != rows[i].passes)
            fail_msg("%u words: %u lines, %u passes", rows[i].words, counts.lines, counts.passes);
    }
}

static void test_other_accesses(void **state)
{
    (void)state;
    struct warp_access access = strided(16, 16);
    assert_int_equal(l1_count(&access).passes, 4);
    access = strided(8, 8);
    assert_int_equal(l1_count(&access).passes, 2);
    access.is_shared = true;
    assert_int_equal(l1_count(&access).passes, 0);
    access = strided(4, 4);
    for (unsigned i = 0; i < WARP_LANES; i++)
        access.at[i] += 100; /* two lines, whose words are in other banks */
    assert_int_equal(l1_count(&access).lines, 2);
    assert_int_equal(l1_count(&access).passes, 1);
    access.mask = 1;
    assert_int_equal(l1_count(&access).passes, 1);
    access.mask = 0;
    assert_int_equal(l1_count(&access).passes, 0);
    access = strided(1, 16); /* unaligned: every word once */
    assert_true(l1_count(&access).passes >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_strides), cmocka_unit_test(test_other_accesses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
