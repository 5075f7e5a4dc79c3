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

/* Derived by hand for every generation. Limits of a multiprocessor: programming guides 4.2 (tables F-1 and
 * F-2: 1.x, 2.x, 3.0), 8.0 (3.2), 11 (table 15: 3.5 to 7.2) and 13.0 (table 27: from 7.5 on); units of allocation: the
 * occupancy calculator (1.x, 2.x) and cuda_occupancy.h. "3 * 1280" is registers or bytes, rounded up to the unit. */
static const struct by_hand {
    struct known known;
    enum occupancy_limit limit;
} by_hand[] = {
    /* 1.0, 1.1: 8 K registers in units of 256 for a group, its warps even; 24 warps, 8 groups, 16 KiB by 512 */
    {{10, 192, 10, 0, 4}, OCCUPANCY_BY_WARPS},     /* 24 / 6; 1920 rounds to 2048 of 8192 */
    {{10, 128, 12, 0, 5}, OCCUPANCY_BY_REGISTERS}, /* 1536 of 8192 */
    {{10, 64, 4, 1100, 8}, OCCUPANCY_BY_GROUPS},   /* 1536 of 16384 would be 10 */
    {{11, 256, 10, 6000, 2}, OCCUPANCY_BY_SHARED}, /* 6144 of 16384 */
    {{11, 512, 8, 0, 1}, OCCUPANCY_BY_SIZE},       /* 16 of 24 warps */
    {{11, 160, 13, 0, 3}, OCCUPANCY_BY_REGISTERS}, /* 5 warps count as 6: 2496 rounds to 2560 */
    /* 1.2, 1.3: 16 K registers by 512, 32 warps */
    {{13, 256, 16, 0, 4}, OCCUPANCY_BY_WARPS},     /* 4096 of 16384; 32 / 8 */
    {{13, 256, 17, 0, 3}, OCCUPANCY_BY_REGISTERS}, /* 4352 rounds to 4608 */
    {{12, 64, 20, 0, 8}, OCCUPANCY_BY_GROUPS},     /* 1280 rounds to 1536: 10 */
    {{13, 128, 20, 4097, 3}, OCCUPANCY_BY_SHARED}, /* 4608 of 16384 */
    {{12, 384, 10, 0, 2}, OCCUPANCY_BY_SIZE},      /* 24 of 32 warps */
    /* 2.x: 32 K registers in two halves, by 64 for a warp; 48 warps, 8 groups, 48 KiB by 128 */
    {{20, 192, 20, 0, 8}, OCCUPANCY_BY_WARPS},      /* 640 of 16384: 25 warps a half; 48 / 6 */
    {{20, 128, 24, 0, 8}, OCCUPANCY_BY_GROUPS},     /* 768: 21 a half, 42 / 4 = 10 */
    {{21, 512, 32, 0, 2}, OCCUPANCY_BY_REGISTERS},  /* 1024: 32 warps / 16 */
    {{21, 256, 20, 16400, 2}, OCCUPANCY_BY_SHARED}, /* 16512 of 49152 */
    {{20, 768, 20, 0, 2}, OCCUPANCY_BY_WARPS},      /* 48 / 24 */
    {{21, 640, 20, 0, 2}, OCCUPANCY_BY_SIZE},       /* 40 of 48 warps */
    /* 3.x: 64 K registers (3.7: 128 K) in four parts, by 256; 64 warps, 16 groups, 48 KiB (3.7: 112) by 256 */
    {{30, 256, 32, 0, 8}, OCCUPANCY_BY_WARPS},      /* 1024 of 16384: 64 warps */
    {{30, 256, 33, 0, 6}, OCCUPANCY_BY_REGISTERS},  /* 1056 rounds to 1280: 12 a part, 48 / 8 */
    {{35, 64, 40, 0, 16}, OCCUPANCY_BY_GROUPS},     /* 48 / 2 = 24 */
    {{35, 256, 32, 12289, 3}, OCCUPANCY_BY_SHARED}, /* 12544 of 49152 */
    {{37, 256, 64, 0, 8}, OCCUPANCY_BY_WARPS},      /* 2048 of 32768: 64 warps */
    {{37, 128, 32, 24576, 4}, OCCUPANCY_BY_SHARED}, /* of 114688 */
    {{32, 1024, 33, 0, 0}, OCCUPANCY_IMPOSSIBLE},   /* 32 * 1280 of a group's 32 K */
    {{35, 1024, 33, 0, 1}, OCCUPANCY_BY_REGISTERS}, /* … of 64 K: 48 / 32 */
    /* 5.x: as 3.x, 32 groups, 64 KiB (5.2: 96), 48 of a group */
    {{50, 32, 32, 0, 32}, OCCUPANCY_BY_GROUPS},      /* 64 warps would fit */
    {{50, 128, 40, 0, 12}, OCCUPANCY_BY_REGISTERS},  /* 48 / 4 */
    {{52, 256, 32, 20000, 4}, OCCUPANCY_BY_SHARED},  /* 20224 of 98304 */
    {{50, 256, 32, 20000, 3}, OCCUPANCY_BY_SHARED},  /* … of 65536 */
    {{53, 1024, 40, 0, 0}, OCCUPANCY_IMPOSSIBLE},    /* 32 * 1280 of a group's 32 K */
    {{52, 1024, 40, 0, 1}, OCCUPANCY_BY_REGISTERS},  /* 48 / 32 */
    {{52, 256, 24, 49153, 0}, OCCUPANCY_IMPOSSIBLE}, /* more than a group may have */
    /* 6.0: two parts; 6.1: 96 KiB; 6.2: 32 K registers of a group */
    {{60, 256, 32, 0, 8}, OCCUPANCY_BY_WARPS},      /* 1024 of 32768: 64 warps */
    {{60, 64, 88, 0, 11}, OCCUPANCY_BY_REGISTERS},  /* 2816 of 32768: 11 a half, 22 / 2 */
    {{61, 64, 88, 0, 10}, OCCUPANCY_BY_REGISTERS},  /* … of 16384: 5 a part, 20 / 2 */
    {{61, 512, 32, 40000, 2}, OCCUPANCY_BY_SHARED}, /* 40192 of 98304 */
    {{62, 512, 72, 0, 0}, OCCUPANCY_IMPOSSIBLE},    /* 16 * 2304 of 32 K */
    {{60, 672, 88, 0, 0}, OCCUPANCY_IMPOSSIBLE},    /* 21 warps of 2816 fit two parts, but not four (6.1: 24 * 2816) */
    {{60, 512, 64, 0, 2}, OCCUPANCY_BY_REGISTERS},  /* 2048: 32 warps / 16 */
    /* 7.0, 7.2: 96 KiB, all of it for one group; 7.5: 32 warps, 16 groups, 64 KiB */
    {{70, 256, 32, 0, 8}, OCCUPANCY_BY_WARPS},         /* 64 / 8 */
    {{70, 128, 32, 98304, 1}, OCCUPANCY_BY_SHARED},    /* … */
    {{70, 128, 32, 98305, 0}, OCCUPANCY_IMPOSSIBLE},   /* … */
    {{75, 256, 32, 0, 4}, OCCUPANCY_BY_WARPS},         /* 32 / 8 */
    {{75, 32, 32, 0, 16}, OCCUPANCY_BY_GROUPS},        /* … */
    {{75, 128, 96, 0, 5}, OCCUPANCY_BY_REGISTERS},     /* 3072 of 16384: 5 a part, 20 / 4 */
    {{72, 192, 48, 10000, 6}, OCCUPANCY_BY_REGISTERS}, /* 1536: 40 / 6; 10240 of 98304 would be 9 */
    /* 8.x: 1 KiB of the system in each group, by 128; 8.0: 164 KiB, 163 of a group; 8.6, 8.9: 48 warps, 100 and 99 KiB
     */
    {{80, 256, 32, 0, 8}, OCCUPANCY_BY_WARPS},        /* 64 / 8 */
    {{80, 256, 32, 40960, 4}, OCCUPANCY_BY_SHARED},   /* 41984 * 4 = 167936 */
    {{86, 128, 32, 24576, 4}, OCCUPANCY_BY_SHARED},   /* 25600 * 4 = 102400 */
    {{86, 1024, 32, 0, 1}, OCCUPANCY_BY_SIZE},        /* 32 of 48 warps */
    {{86, 64, 32, 0, 16}, OCCUPANCY_BY_GROUPS},       /* 24 would fit */
    {{89, 64, 32, 0, 24}, OCCUPANCY_BY_WARPS},        /* 48 / 2, and 24 groups */
    {{87, 256, 32, 65536, 2}, OCCUPANCY_BY_SHARED},   /* 66560 of 167936 */
    {{89, 256, 32, 101376, 1}, OCCUPANCY_BY_SHARED},  /* 99 KiB */
    {{89, 256, 32, 101377, 0}, OCCUPANCY_IMPOSSIBLE}, /* … and a byte */
    /* 9.0: 64 warps, 32 groups, 228 KiB, 227 of a group */
    {{90, 256, 32, 0, 8}, OCCUPANCY_BY_WARPS},       /* 64 / 8 */
    {{90, 128, 168, 0, 3}, OCCUPANCY_BY_REGISTERS},  /* 5376 of 16384: 12 warps / 4 */
    {{90, 384, 168, 0, 1}, OCCUPANCY_BY_REGISTERS},  /* 12 / 12 */
    {{90, 128, 32, 232448, 1}, OCCUPANCY_BY_SHARED}, /* 227 KiB */
    {{90, 128, 32, 114688, 2}, OCCUPANCY_BY_SHARED}, /* 115712 of 233472 */
    {{90, 32, 64, 0, 32}, OCCUPANCY_BY_GROUPS},      /* 2048: 32 warps as well */
    /* 10.x: as 9.0 */
    {{100, 512, 40, 0, 3}, OCCUPANCY_BY_REGISTERS},  /* 1280: 48 / 16 */
    {{103, 256, 32, 75776, 3}, OCCUPANCY_BY_SHARED}, /* 76800 of 233472 */
    {{100, 1024, 32, 0, 2}, OCCUPANCY_BY_WARPS},     /* 64 / 32 */
    {{100, 96, 32, 0, 21}, OCCUPANCY_BY_SIZE},       /* 63 of 64 warps */
    {{103, 128, 255, 0, 2}, OCCUPANCY_BY_REGISTERS}, /* 8160 rounds to 8192: 8 / 4 */
    /* 11.0: 48 warps, 24 groups, 228 KiB */
    {{110, 256, 32, 0, 6}, OCCUPANCY_BY_WARPS},      /* 48 / 8 */
    {{110, 32, 32, 0, 24}, OCCUPANCY_BY_GROUPS},     /* … */
    {{110, 512, 48, 0, 2}, OCCUPANCY_BY_REGISTERS},  /* 1536: 40 / 16 */
    {{110, 1024, 32, 0, 1}, OCCUPANCY_BY_SIZE},      /* 32 of 48 */
    {{110, 256, 32, 58368, 3}, OCCUPANCY_BY_SHARED}, /* 59392 of 233472 */
    /* 12.x: 48 warps, 24 groups, 100 KiB, 99 of a group */
    {{120, 256, 40, 0, 6}, OCCUPANCY_BY_WARPS},      /* 1280: 48 / 8 */
    {{120, 256, 48, 0, 5}, OCCUPANCY_BY_REGISTERS},  /* 1536: 40 / 8 */
    {{121, 128, 32, 33000, 3}, OCCUPANCY_BY_SHARED}, /* 34048 of 102400 */
    {{121, 64, 32, 0, 24}, OCCUPANCY_BY_WARPS},      /* 48 / 2 */
    {{120, 32, 32, 0, 24}, OCCUPANCY_BY_GROUPS},     /* … */
    {{120, 640, 32, 0, 2}, OCCUPANCY_BY_SIZE},       /* 40 of 48 */
};

static void test_by_hand(void **state)
{
    (void)state;
    int cases[13] = {0};
    for (size_t i = 0; i < COUNT_OF(by_hand); i++) {
        const struct known *known = &by_hand[i].known;
        struct explain_occupancy occupancy = of(known);
        cases[known->compute / 10]++;
        if (occupancy.groups != known->groups || occupancy.limited_by != by_hand[i].limit)
            fail_msg("%d, %d items, %d registers, %zu bytes: %d groups by %s, not %d by %s", known->compute,
                     known->items, known->registers, known->shared_bytes, occupancy.groups,
                     occupancy_limit_keys[occupancy.limited_by], known->groups, occupancy_limit_keys[by_hand[i].limit]);
    }
    for (size_t i = 0; i < capability_count; i++) /* five of every generation */
        assert_true(cases[compute_of(capabilities[i].version) / 10] >= 5);
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
        cmocka_unit_test(test_as_the_header), cmocka_unit_test(test_as_the_sheet),
        cmocka_unit_test(test_by_hand),       cmocka_unit_test(test_every_capability),
        cmocka_unit_test(test_waves),         cmocka_unit_test(test_better_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
