/* Sectors that come from memory again as groups far apart share them: launches made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "explain/memory/revisits.h"

#include <cmocka.h>

enum { IN, OUT, TABLE };

#define LOTS 1e18

struct launch {
    size_t groups[2];
    size_t stride; /* words between lanes: group (x, y) takes words (32 x + lane) * stride + y */
};

static void touch(struct revisits *revisits, int argument, uint64_t first, uint64_t bytes_between)
{
    struct warp_access access = {.bytes = 4, .mask = UINT32_MAX};
    for (uint64_t lane = 0; lane < WARP_LANES; lane++)
        access.at[lane] = ((uint64_t)argument << 40) / 64 + first + bytes_between * lane;
    assert_true(revisits_add(revisits, &access, argument, argument == OUT));
}

/* Runs along both dimensions; every group reads the same table, too. */
static const struct revisit_launch *looked_at(struct revisits *revisits, const struct launch *launch)
{
    const size_t groups[3] = {launch->groups[0], launch->groups[1], 1};
    assert_true(revisits_begin_launch(revisits, "kernel", groups));
    assert_false(revisits_begin_launch(revisits, "kernel", groups));
    for (int d = 0; d < 2; d++) {
        size_t run = groups[d] < REVISIT_RUN ? groups[d] : REVISIT_RUN;
        if (groups[d] > 1)
            revisits_begin_run(revisits, d, run);
        for (size_t i = 0; groups[d] > 1 && i < run; i++) {
            size_t x = d == 0 ? i : 0, y = d == 1 ? i : 0;
            revisits_begin_group(revisits);
            for (int argument = IN; argument <= OUT; argument++)
                touch(revisits, argument, 4 * (32 * x * launch->stride + y), 4 * launch->stride);
            touch(revisits, TABLE, 0, 4);
        }
    }
    return revisits_of(revisits, "kernel");
}

static void rows_that_share_sectors_fetch_them_again(void **state)
{
    static const struct {
        struct launch launch;
        double cache, times;
        bool is_partial;
    } rows[] = {
        {{{1 << 16, 1}, 1}, 1 << 20, 1, false},  {{{1 << 15, 2}, 2}, 1 << 20, 2, true},
        {{{1 << 14, 4}, 4}, 1 << 20, 4, true},   {{{1 << 13, 8}, 8}, 1 << 20, 8, true},
        {{{1 << 10, 64}, 64}, 1 << 20, 8, true}, /* a sector has eight words */
        {{{1 << 13, 8}, 8}, LOTS, 1, false},     {{{4, 64}, 64}, 1 << 20, 1, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct revisits revisits = {.count = 0};
        const struct revisit_launch *launch = looked_at(&revisits, &rows[i].launch);
        bool is_partial;
        if (rows[i].launch.stride == 1) /* of each array a line, and one of the table */
            assert_float_equal(launch->lines[0], 3 * launch->run[0], 1e-9);
        assert_float_equal(revisits_from_memory(launch, IN, false, rows[i].cache, &is_partial), rows[i].times, 1e-9);
        assert_false(is_partial);
        assert_float_equal(revisits_from_memory(launch, OUT, true, rows[i].cache, &is_partial), rows[i].times, 1e-9);
        assert_int_equal(is_partial, rows[i].is_partial);
        /* A table that every group reads stays. */
        assert_float_equal(revisits_from_memory(launch, TABLE, false, rows[i].cache, &is_partial), 1, 1e-9);
        revisits_free(&revisits);
    }
}

static void what_was_not_looked_at_comes_once(void **state)
{
    struct revisits revisits = {.count = 0};
    const size_t groups[3] = {1, 1, 1};
    bool is_partial;
    (void)state;
    assert_null(revisits_of(&revisits, "kernel"));
    assert_true(revisits_begin_launch(&revisits, "kernel", groups));
    assert_float_equal(revisits_from_memory(revisits_of(&revisits, "kernel"), IN, false, 1, &is_partial), 1, 1e-9);
    assert_float_equal(revisits_from_memory(revisits_of(&revisits, "kernel"), -1, false, 1, &is_partial), 1, 1e-9);
    revisits_free(&revisits);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_that_share_sectors_fetch_them_again),
        cmocka_unit_test(what_was_not_looked_at_comes_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
