/* Occupancy by compute capability, against NVIDIA's own calculators. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "architectures/allocation.h"
#include "base/size.h"
#include "explain/occupancy/occupancy.h"

#include <cmocka.h>

struct known {
    int compute, items, registers;
    size_t shared_bytes;
    int groups;
};

/* cudaOccMaxActiveBlocksPerMultiprocessor of cuda_occupancy.h (CUDA 13.0), with the limits of the programming guide,
 * local memory preferred to L1, and groups that may ask for as much of it as there is; the configurations are random.
 */
static const struct known by_header[] = {
#include "../data/explain/occupancy.def"
};

static struct explain_occupancy of(const struct known *known)
{
    struct occupancy_request request = {.compute = known->compute,
                                        .items = (size_t)known->items,
                                        .registers = known->registers,
                                        .shared_bytes = known->shared_bytes};
    struct explain_occupancy occupancy;
    assert_true(occupancy_of(&request, &occupancy));
    return occupancy;
}

static void test_as_the_header(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(by_header); i++) {
        const struct known *known = &by_header[i];
        struct explain_occupancy occupancy = of(known);
        if (occupancy.groups != known->groups)
            fail_msg("%d: %d items, %d registers, %zu bytes: %d groups, not %d", known->compute, known->items,
                     known->registers, known->shared_bytes, occupancy.groups, known->groups);
        assert_int_equal(occupancy.warps, known->groups * ((known->items + 31) / 32));
    }
}

/* What the header does not know, by the formulas that the calculator's sheet shows: registers of a group for 1.x, its
 * warps rounded up to two, in units of 256 (1.0) or 512 (1.3); of a warp in units of 64 for 2.x; local memory in units
 * of 512 and 128 bytes. */
static void test_as_the_sheet(void **state)
{
    (void)state;
    static const struct {
        struct known known;
        enum occupancy_limit limit;
    } rows[] = {
        /* the sheet's own example for 1.0: 256 items, 8 registers (8 * 32 * 8 = 2048 of 8192), 2048 bytes of 16384 */
        {{10, 256, 8, 2048, 3}, OCCUPANCY_BY_WARPS},
        {{10, 256, 16, 0, 2}, OCCUPANCY_BY_REGISTERS}, /* 8 warps * 32 * 16 = 4096 of 8192 */
        {{10, 256, 11, 0, 2}, OCCUPANCY_BY_REGISTERS}, /* 2816, already a multiple of 256 */
        {{11, 96, 20, 0, 3}, OCCUPANCY_BY_REGISTERS},  /* 3 warps count as 4: 2560 of 8192 */
        {{13, 96, 20, 0, 6}, OCCUPANCY_BY_REGISTERS},  /* 2560 of 16384 */
        {{13, 32, 10, 0, 8}, OCCUPANCY_BY_GROUPS},     /* … */
        {{12, 128, 10, 5000, 3}, OCCUPANCY_BY_SHARED}, /* 5120 of 16384 */
        {{13, 512, 40, 0, 0}, OCCUPANCY_IMPOSSIBLE},   /* 16 * 32 * 40 = 20480 of 16384 */
        {{20, 256, 20, 0, 6}, OCCUPANCY_BY_WARPS},     /* 640 a warp: 51 warps, 50 in two parts, 6 groups */
        {{20, 256, 21, 0, 5}, OCCUPANCY_BY_REGISTERS}, /* 672 rounds to 704: 46 warps */
        {{20, 192, 33, 0, 5}, OCCUPANCY_BY_REGISTERS}, /* 1056 rounds to 1088: 30 warps */
        {{21, 64, 63, 0, 8}, OCCUPANCY_BY_GROUPS},     /* 2016: 16 warps */
        {{20, 256, 10, 9000, 5}, OCCUPANCY_BY_SHARED}, /* 9088 of 49152 */
        {{20, 256, 64, 0, 0}, OCCUPANCY_IMPOSSIBLE},   /* more than an item may have */
        {{20, 1024, 16, 0, 1}, OCCUPANCY_BY_SIZE},     /* 32 of 48 warps */
        {{20, 1025, 16, 0, 0}, OCCUPANCY_IMPOSSIBLE},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct explain_occupancy occupancy = of(&rows[i].known);
        if (occupancy.groups != rows[i].known.groups || occupancy.limited_by != rows[i].limit)
            fail_msg("row %zu: %d groups by %s, not %d by %s", i, occupancy.groups,
                     occupancy_limit_keys[occupancy.limited_by], rows[i].known.groups,
                     occupancy_limit_keys[rows[i].limit]);
    }
}

static void test_every_capability(void **state)
{
    (void)state;
    for (size_t i = 0; i < capability_count; i++) {
        struct known known = {compute_of(capabilities[i].version), 128, 10, 0, 0};
        struct explain_occupancy occupancy = of(&known);
        assert_true(occupancy.groups > 0 && occupancy.warps <= occupancy.warps_max);
    }
    struct occupancy_request unknown = {.compute = 99, .items = 128};
    struct explain_occupancy occupancy;
    assert_false(occupancy_of(&unknown, &occupancy));
    assert_int_equal(occupancy.warps, 0);
}

static void test_waves(void **state)
{
    (void)state;
    struct occupancy_request request = {
        .compute = 90, .items = 256, .registers = 32, .groups = 132 * 8 * 2 + 132 * 4, .units = 132};
    struct explain_occupancy occupancy;
    assert_true(occupancy_of(&request, &occupancy));
    assert_int_equal(occupancy.groups, 8);
    assert_true(occupancy.waves == 2.5 && occupancy.tail == 0.5);
    assert_true(occupancy.efficiency == 1); /* 20 each */
    request.groups = 66;
    assert_true(occupancy_of(&request, &occupancy));
    assert_true(occupancy.efficiency == 0.5);
    request.groups = 132 * 8;
    assert_true(occupancy_of(&request, &occupancy));
    assert_true(occupancy.waves == 1 && occupancy.tail == 1 && occupancy.efficiency == 1);
}

/* 48 warps: groups of 32 do not fit twice; of 16 three times. */
static void test_better_sizes(void **state)
{
    (void)state;
    struct occupancy_request request = {.compute = 86, .items = 1024, .registers = 32};
    size_t items[4];
    size_t count = occupancy_better_sizes(&request, items, 4);
    assert_true(count > 0);
    struct explain_occupancy now, better;
    assert_true(occupancy_of(&request, &now));
    assert_int_equal(now.limited_by, OCCUPANCY_BY_SIZE);
    for (size_t i = 0; i < count; i++) {
        request.items = items[i];
        assert_true(occupancy_of(&request, &better));
        assert_true(better.warps > now.warps);
    }
    request = (struct occupancy_request){.compute = 90, .items = 256, .registers = 32};
    assert_int_equal(occupancy_better_sizes(&request, items, 4), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_the_header),    cmocka_unit_test(test_as_the_sheet),
        cmocka_unit_test(test_every_capability), cmocka_unit_test(test_waves),
        cmocka_unit_test(test_better_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
