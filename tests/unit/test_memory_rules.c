/* Transactions and bank conflicts by the published rules, on patterns whose counts the guides give or that are counted
 * by hand here. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/size.h"
#include "explain/memory/partitions.h"
#include "explain/memory/rules.h"

#include <cmocka.h> /* last: it has a macro called fail */

static struct memory_rules rules_of(const char *capability, enum l1_choice l1, bool banks_of_8)
{
    struct memory_rules rules;
    struct error error = {""};
    if (memory_rules_of(capability, l1, banks_of_8, &rules, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    return rules;
}

/* Lane i touches `bytes` at begin + i * stride. */
static struct warp_access strided(bool is_shared, unsigned kind, unsigned bytes, uint64_t begin, uint64_t stride)
{
    struct warp_access access = {.is_shared = is_shared, .kind = kind, .bytes = bytes, .mask = 0xffffffff};
    for (unsigned i = 0; i < WARP_LANES; i++)
        access.at[i] = begin + i * stride;
    return access;
}

static void expect(const char *capability, enum l1_choice l1, const struct warp_access *access, unsigned requests,
                   unsigned transactions, unsigned bytes_moved)
{
    struct memory_rules rules = rules_of(capability, l1, false);
    struct access_counts counts;
    memory_rules_count(&rules, access, &counts);
    if (counts.requests != requests || counts.transactions != transactions || counts.bytes_moved != bytes_moved)
        fail_msg("%s: %u requests, %u transactions, %u bytes; expected %u, %u, %u", rules.name, counts.requests,
                 counts.transactions, counts.bytes_moved, requests, transactions, bytes_moved);
}

/* Passes and conflicts of a load from shared memory. */
static void expect_banks(const char *capability, bool banks_of_8, const struct warp_access *access, unsigned passes,
                         unsigned conflicts)
{
    struct memory_rules rules = rules_of(capability, L1_DEFAULT, banks_of_8);
    struct access_counts counts;
    memory_rules_count(&rules, access, &counts);
    if (counts.transactions != passes || counts.conflicts != conflicts)
        fail_msg("%s: %u passes, %u conflicts; expected %u, %u", rules.name, counts.transactions, counts.conflicts,
                 passes, conflicts);
}

static void capabilities_are_read(void **state)
{
    (void)state;
    static const char *const wrong[] = {"", "0.9", "1.4", "4.0", "13.0", "9", "9.00", "sm_", "sm_x", "sm_9000", "nine"};
    struct memory_rules rules;
    struct error error;
    for (size_t i = 0; i < COUNT_OF(wrong); i++)
        assert_int_equal(memory_rules_of(wrong[i], L1_DEFAULT, false, &rules, &error), STATUS_INVALID);
    assert_int_equal(rules_of("sm_90a", L1_DEFAULT, false).coalescing, COALESCING_SECTORS);
    assert_int_equal(rules_of("12.1", L1_DEFAULT, false).banking, BANKS_32);
    assert_int_equal(rules_of("2.0", L1_DEFAULT, false).coalescing, COALESCING_LINES);
    assert_int_equal(rules_of("3.5", L1_DEFAULT, false).coalescing, COALESCING_SPLIT_SECTORS);
    assert_int_equal(rules_of("1.1", L1_DEFAULT, false).coalescing, COALESCING_IN_ORDER);
    assert_int_equal(rules_of("1.2", L1_DEFAULT, false).coalescing, COALESCING_SEGMENTS);
}

/* Words of 4 bytes side by side, from an aligned address on. */
static void aligned_rows(void **state)
{
    (void)state;
    struct warp_access row = strided(false, EVENT_LOAD, 4, 4096, 4);
    expect("1.0", L1_DEFAULT, &row, 2, 2, 128);
    expect("1.3", L1_DEFAULT, &row, 2, 2, 128);
    expect("2.0", L1_ON, &row, 1, 1, 128);
    expect("2.0", L1_OFF, &row, 1, 4, 128);
    expect("9.0", L1_DEFAULT, &row, 1, 4, 128);
    struct warp_access wide = strided(false, EVENT_LOAD, 16, 4096, 16);
    expect("1.0", L1_DEFAULT, &wide, 2, 4, 512);
    expect("2.0", L1_ON, &wide, 4, 4, 512);
    expect("9.0", L1_DEFAULT, &wide, 1, 16, 512);
    wide = strided(false, EVENT_LOAD, 16, 4096 + 128, 16); /* any segment of 128 may be the first of two */
    expect("1.0", L1_DEFAULT, &wide, 2, 4, 512);
    wide = strided(false, EVENT_LOAD, 16, 4096 + 64, 16);
    expect("1.0", L1_DEFAULT, &wide, 2, 32, 1024);
    struct warp_access doubles = strided(false, EVENT_STORE, 8, 0, 8);
    expect("1.1", L1_DEFAULT, &doubles, 2, 2, 256);
    expect("2.0", L1_ON, &doubles, 2, 8, 256); /* stores pass L1 by */
    expect("7.0", L1_DEFAULT, &doubles, 1, 8, 256);
}

/* One word further on. 1.0 makes a transaction of each word; 1.2 of each half-warp at most two. */
static void misaligned_rows(void **state)
{
    (void)state;
    struct warp_access row = strided(false, EVENT_LOAD, 4, 4096 + 4, 4);
    expect("1.0", L1_DEFAULT, &row, 2, 32, 1024);
    /* Lanes 0-15: bytes 4-67 of a segment of 128; 16-31: 68-127 shrink to 64, and the last word to 32 in the next. */
    expect("1.2", L1_DEFAULT, &row, 2, 3, 128 + 64 + 32);
    expect("2.0", L1_ON, &row, 1, 2, 256);
    expect("2.0", L1_OFF, &row, 1, 5, 160);
    expect("9.0", L1_DEFAULT, &row, 1, 5, 160);
}

/* A column: each lane in another line. */
static void columns(void **state)
{
    (void)state;
    struct warp_access column = strided(false, EVENT_STORE, 4, 0, 4096);
    expect("1.0", L1_DEFAULT, &column, 2, 32, 1024);
    expect("1.3", L1_DEFAULT, &column, 2, 32, 1024);
    expect("2.0", L1_ON, &column, 1, 32, 1024);
    expect("9.0", L1_DEFAULT, &column, 1, 32, 1024);
    column.kind = EVENT_LOAD;
    expect("2.0", L1_ON, &column, 1, 32, 4096);
    struct access_counts counts;
    struct memory_rules rules = rules_of("9.0", L1_DEFAULT, false);
    memory_rules_count(&rules, &column, &counts);
    assert_int_equal(counts.bytes_used, 128);
}

static void other_orders(void **state)
{
    (void)state;
    struct warp_access swapped = strided(false, EVENT_LOAD, 4, 0, 4);
    swapped.at[3] = 16;
    swapped.at[4] = 12;
    expect("1.0", L1_DEFAULT, &swapped, 2, 17, 16 * 32 + 64); /* one half-warp out of order */
    expect("1.2", L1_DEFAULT, &swapped, 2, 2, 128);
    struct warp_access half = strided(false, EVENT_LOAD, 4, 0, 4);
    half.mask = 0x0000fff0; /* lanes that are missing break no order */
    expect("1.0", L1_DEFAULT, &half, 1, 1, 64);
    expect("9.0", L1_DEFAULT, &half, 1, 2, 64);
    struct warp_access bytes = strided(false, EVENT_LOAD, 1, 0, 1);
    expect("1.0", L1_DEFAULT, &bytes, 2, 32, 1024); /* no words of a byte in order there */
    expect("1.2", L1_DEFAULT, &bytes, 2, 2, 64);
    expect("9.0", L1_DEFAULT, &bytes, 1, 1, 32);
    struct warp_access same = strided(false, EVENT_LOAD, 4, 64, 0);
    expect("1.2", L1_DEFAULT, &same, 2, 2, 64);
    expect("9.0", L1_DEFAULT, &same, 1, 1, 32);
}

/* Strides of words: the guide's figure of strided accesses. */
static void strides_of_banks(void **state)
{
    (void)state;
    static const struct {
        unsigned stride, ways_of_16, ways_of_32;
    } rows[] = {{1, 1, 1},    {2, 2, 2},    {3, 1, 1},  {4, 4, 4}, {8, 8, 8},
                {16, 16, 16}, {32, 16, 32}, {33, 1, 1}, {17, 1, 1}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct warp_access access = strided(true, EVENT_LOAD, 4, 0, 4 * (uint64_t)rows[i].stride);
        expect_banks("1.0", false, &access, 2 * rows[i].ways_of_16, 2 * (rows[i].ways_of_16 - 1));
        expect_banks("2.0", false, &access, rows[i].ways_of_32, rows[i].ways_of_32 - 1);
        expect_banks("9.0", false, &access, rows[i].ways_of_32, rows[i].ways_of_32 - 1);
    }
}

static void broadcasts(void **state)
{
    (void)state;
    struct warp_access same = strided(true, EVENT_LOAD, 4, 8, 0);
    expect_banks("1.0", false, &same, 2, 0);
    expect_banks("9.0", false, &same, 1, 0);
    struct warp_access bytes = strided(true, EVENT_LOAD, 1, 0, 1);
    expect_banks("1.0", false, &bytes, 8, 6); /* the guide: four bytes of a word, a conflict of four ways */
    expect_banks("2.0", false, &bytes, 1, 0);
    same.kind = EVENT_ATOMIC;
    expect_banks("9.0", false, &same, 32, 31); /* one after the other */
}

static void wide_words(void **state)
{
    (void)state;
    struct warp_access doubles = strided(true, EVENT_LOAD, 8, 0, 8), quads = strided(true, EVENT_LOAD, 16, 0, 16);
    expect_banks("1.3", false, &doubles, 2 * 2 * 2, 2 * 2); /* two words, each with a conflict of two ways */
    expect_banks("2.0", false, &doubles, 2, 0);
    expect_banks("9.0", false, &doubles, 2, 0);
    expect_banks("3.5", false, &doubles, 1, 0); /* banks of 8 bytes */
    expect_banks("3.5", true, &doubles, 1, 0);
    expect_banks("2.0", false, &quads, 8, 4); /* the guide: a quarter-warp has a pass more than its words ask for */
    expect_banks("9.0", false, &quads, 4, 0);
    expect_banks("3.5", false, &quads, 2, 0);
}

/* 3.x: words that a bank of 8 bytes gives at once. */
/* From 5.0 on, as an H200 counts: parts of a warp that ask for the same words are served together. */
static void wide_words_together(void **state)
{
    (void)state;
    struct warp_access same = strided(true, EVENT_LOAD, 16, 256, 0);
    expect_banks("9.0", false, &same, 2, 0); /* a half-warp in a pass */
    expect_banks("2.0", false, &same, 8, 4);
    same.bytes = 8;
    expect_banks("9.0", false, &same, 1, 0);                          /* all */
    struct warp_access eights = strided(true, EVENT_LOAD, 16, 0, 16); /* eight words, four times */
    for (unsigned i = 0; i < WARP_LANES; i++)
        eights.at[i] = 16 * (i % 8);
    expect_banks("9.0", false, &eights, 2, 0);
    struct warp_access rows = strided(true, EVENT_LOAD, 16, 0, 16);
    expect_banks("9.0", false, &rows, 4, 0);
    eights.kind = EVENT_STORE;
    expect_banks("9.0", false, &eights, 4, 0);
}

static void banks_of_8_bytes(void **state)
{
    (void)state;
    struct warp_access every_second = strided(true, EVENT_LOAD, 4, 0, 8);
    expect_banks("3.5", false, &every_second, 1, 0); /* words i and i + 32 of an aligned 64 */
    expect_banks("3.5", true, &every_second, 1, 0);
    struct warp_access every_fourth = strided(true, EVENT_LOAD, 4, 0, 16);
    expect_banks("3.5", false, &every_fourth, 2, 1);
    expect_banks("3.5", true, &every_fourth, 2, 1);
    struct warp_access column = strided(true, EVENT_LOAD, 4, 0, 33 * 4);
    expect_banks("3.5", false, &column, 1, 0);
}

/* Groups of `width` columns of a matrix of 1024 floats a row, one element of 1024 rows each: rows are 16 blocks of 256
 * bytes apart, so a column lies in one partition of 4. Warps read down a column, 32 bytes for each item. */
static void record_columns(struct partition_loads *loads, size_t groups, unsigned width)
{
    partition_begin_launch(loads, "columns", groups);
    for (size_t group = groups; group-- > 0;) { /* in any order */
        partition_begin_group(loads, group);
        for (unsigned column = 0; column < width; column++) {
            struct warp_access access = strided(false, EVENT_LOAD, 4, (group * width + column) * 4, 4096);
            partition_add(loads, &access, 32 * 32);
        }
    }
}

/* 64 columns are a block of 256 bytes. */
static void partitions_camp(void **state)
{
    (void)state;
    static const struct {
        unsigned partitions, width;
        double at_once, imbalance;
    } rows[] = {
        {4, 1, 64, 4},  /* 64 columns at once: one block, one partition */
        {4, 1, 128, 2}, /* two blocks */
        {4, 1, 256, 1}, /* four */
        {4, 2, 128, 1}, /* as many columns, in half the groups */
        {4, 1, 96, 3},  /* one and a half, twice, then one: the busiest has 64 columns each time, of 256 / 4 */
        {6, 1, 64, 6 * 11 / 32.0}, /* rows in three of six partitions: 0, 4 and 2; 11 of 32 in the first */
        {4, 64, 1, 4},             /* groups of a block */
        {4, 64, 1000, 1},          /* all at once */
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct partition_loads loads = {.partitions = rows[i].partitions};
        record_columns(&loads, 256 / rows[i].width, rows[i].width);
        double imbalance = partition_imbalance(&loads, "columns", rows[i].at_once);
        assert_true(fabs(imbalance - rows[i].imbalance) < 1e-6);
        assert_true(partition_imbalance(&loads, "other", rows[i].at_once) == 0);
        partition_loads_free(&loads);
    }
}

/* Groups that are no neighbours tell nothing; without partitions nothing is recorded. */
static void partitions_unknown(void **state)
{
    (void)state;
    struct partition_loads loads = {.partitions = 4};
    partition_begin_launch(&loads, "columns", 100);
    for (size_t group = 1; group < 100; group += 2) {
        struct warp_access access = strided(false, EVENT_LOAD, 4, group * 4, 4096);
        partition_begin_group(&loads, group);
        partition_add(&loads, &access, 1024);
    }
    assert_true(partition_imbalance(&loads, "columns", 8) == 0);
    partition_loads_free(&loads);
    record_columns(&loads, 64, 1);
    assert_true(loads.count == 0 && partition_imbalance(&loads, "columns", 8) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(capabilities_are_read),
        cmocka_unit_test(aligned_rows),
        cmocka_unit_test(misaligned_rows),
        cmocka_unit_test(columns),
        cmocka_unit_test(other_orders),
        cmocka_unit_test(strides_of_banks),
        cmocka_unit_test(broadcasts),
        cmocka_unit_test(wide_words),
        cmocka_unit_test(wide_words_together),
        cmocka_unit_test(banks_of_8_bytes),
        cmocka_unit_test(partitions_camp),
        cmocka_unit_test(partitions_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
