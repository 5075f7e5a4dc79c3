/* What would make a rung faster, and the pictures of its accesses: from models and addresses made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "explain/advice.h"
#include "report/model/effect_chart.h"
#include "report/model/explained.h"

#include <cmocka.h>

/* Bound by L2, then by DRAM. */
static struct explanation made(double l2, double dram)
{
    struct explanation made = {.rung = NULL};
    bool l2_first = l2 > dram;
    made.model.ns[RESOURCE_L2] = l2;
    made.model.ns[RESOURCE_DRAM] = dram;
    made.model.is_known[RESOURCE_L2] = made.model.is_known[RESOURCE_DRAM] = true;
    made.model.bound_by[0] = l2_first ? RESOURCE_L2 : RESOURCE_DRAM;
    made.model.bound_by[1] = l2_first ? RESOURCE_DRAM : RESOURCE_L2;
    made.model.bound_count = 2;
    made.model.predicted_ns = l2_first ? l2 : dram;
    return made;
}

static void the_rung_that_relieves_is_named(void **state)
{
    (void)state;
    struct explanation items[] = {made(100, 25), made(90, 25), made(30, 25), made(10, 25)};
    struct explain_advice advice;
    assert_true(explanation_advice(items, 4, 0, &advice));
    assert_int_equal(advice.relieve, RESOURCE_L2);
    assert_float_equal(advice.gain, 4, 1e-9);
    assert_ptr_equal(advice.done_by, &items[2]); /* not [1]: it needs nearly as much */
    assert_true(explanation_advice(items, 4, 2, &advice));
    assert_ptr_equal(advice.done_by, &items[3]);
    assert_true(explanation_advice(items, 4, 3, &advice));
    assert_int_equal(advice.relieve, RESOURCE_DRAM);
    assert_null(advice.done_by);
}

static void slower_and_refused_rungs_relieve_nothing(void **state)
{
    (void)state;
    struct explanation items[] = {made(100, 25), made(10, 300), made(10, 25)};
    struct explain_advice advice;
    strcpy(items[2].refusal, "no");
    assert_true(explanation_advice(items, 3, 0, &advice));
    assert_null(advice.done_by);
    assert_false(explanation_advice(items, 3, 2, &advice));
    items[0].model.bound_count = 1;
    assert_false(explanation_advice(items, 3, 0, &advice));
}

/* A CPU rung of 1000 ns, of which so many issue instructions and so many move lines from L2. */
static struct explanation made_on_cpu(double issue, double l2, double instructions, uint64_t lines)
{
    struct explanation made = {.caches = {.site_count = 1, .threads = 1}};
    made.model.ns[RESOURCE_ISSUE] = issue;
    made.model.ns[RESOURCE_L2] = l2;
    made.model.predicted_ns = issue + l2;
    made.caches.all.instructions = made.caches.busiest.instructions = instructions;
    made.caches.busiest.core_clocks = 2 * instructions;
    made.caches.traffic.fills[0] = lines;
    made.model.moved_bytes = 64 * (double)lines;
    return made;
}

static void a_step_on_the_cpu_names_what_its_time_hangs_on(void **state)
{
    char text[512];
    (void)state;
    struct explanation before = made_on_cpu(950, 50, 4000, 400), after = made_on_cpu(240, 10, 1000, 100);
    assert_string_equal(explanation_step(&before, &after, text, sizeof text),
                        "4 × fewer instructions; predicted 4 × faster");
    after.caches.busiest.core_clocks = 4000;
    after.caches.threads = 2;
    assert_string_equal(explanation_step(&before, &after, text, sizeof text),
                        "threads: 1 → 2; 4 × fewer instructions; clocks an instruction: 2 → 4; predicted 4 × faster");
    struct explanation lines = made_on_cpu(950, 1050, 4000, 800);
    assert_string_equal(explanation_step(&before, &lines, text, sizeof text),
                        "2 × as many lines into L1; predicted 2 × slower");
    before.caches.busiest.mispredicted = 100; /* of 8000 clocks they take a fifth */
    assert_string_equal(explanation_step(&before, &lines, text, sizeof text),
                        "mispredicted branches of 1000 instructions: 25 → 0; 2 × as many lines into L1; "
                        "predicted 2 × slower");
    before.caches.busiest.mispredicted = 1;
    assert_string_equal(explanation_step(&before, &lines, text, sizeof text),
                        "2 × as many lines into L1; predicted 2 × slower");
}

/* OpenCL on a CPU: launched, and without occupancy. */
static void a_step_of_launched_code_on_the_cpu_names_its_spills(void **state)
{
    char text[512];
    (void)state;
    struct explain_kernel one = {.rank = 1, .is_of_cpu = true, .is_disassembled = true, .spill_store_bytes = 64},
                          other = {.rank = 1, .is_of_cpu = true, .is_disassembled = true};
    struct explanation before = {.compiled = {.kernels = &one, .kernel_count = 1}},
                       after = {.compiled = {.kernels = &other, .kernel_count = 1}};
    assert_string_equal(explanation_step(&before, &after, text, sizeof text), "spilled bytes: 64 → 0");
}

static struct explained_access access_of(bool is_shared, unsigned bytes, uint64_t stride)
{
    struct explained_access made = {.is_shared = is_shared, .bytes = bytes, .mask = UINT32_MAX};
    for (int lane = 0; lane < EXPLAINED_LANES; lane++)
        made.at[lane] = 4096 + stride * (uint64_t)lane;
    return made;
}

static void sectors_and_banks_are_those_touched(void **state)
{
    static const struct {
        bool is_shared;
        unsigned bytes;
        uint64_t stride;
        size_t cells;
        unsigned used;
    } rows[] = {
        {false, 4, 4, 4, 32},  {false, 4, 32, 32, 4}, {false, 16, 16, 16, 32}, {false, 4, 0, 1, 4},
        {false, 1, 1, 1, 32},  {true, 4, 4, 32, 1},   {true, 4, 8, 16, 2},     {true, 4, 128, 1, 32},
        {true, 4, 132, 32, 1}, {true, 4, 0, 1, 1},    {true, 16, 16, 32, 4},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct explained_access access = access_of(rows[i].is_shared, rows[i].bytes, rows[i].stride);
        struct explained_spread spread;
        explained_spread_make(&access, &spread);
        assert_int_equal(spread.count, rows[i].cells);
        for (size_t c = 0; c < spread.count; c++)
            assert_int_equal(spread.cells[c].used, rows[i].used);
        assert_true(spread.cell_of[0] < spread.count && spread.cell_of[31] < spread.count);
    }
    struct explained_access none = {.mask = 0, .bytes = 4};
    struct explained_spread spread;
    explained_spread_make(&none, &spread);
    assert_int_equal(spread.count, 0);
}

static void a_chart_says_what_is_there(void **state)
{
    (void)state;
    static struct effect_chart chart = {.count = 1};
    struct effect_series *series = &chart.series[0];
    series->count = 3;
    for (size_t i = 0; i < 3; i++)
        series->points[i] = (struct effect_point){.value = (int64_t)i, .predicted = 10.0 * (double)(i + 1)};
    assert_float_equal(effect_chart_longest(&chart), 30, 1e-9);
    assert_float_equal(effect_point_ratio(series, 2), 3, 1e-9);
    series->points[1].time.median = 50; /* measured times count, once there is one */
    series->points[2].time.median = 100;
    assert_float_equal(effect_point_ratio(series, 2), 2, 1e-9);
    assert_float_equal(effect_point_ratio(series, 0), 0, 1e-9);
    assert_null(effect_series_reason(series));
    for (size_t i = 0; i < 3; i++) {
        series->points[i].was_run = true;
        series->points[i].verdict = VERDICT_SKIP;
        strcpy(series->points[i].reason, "no double");
    }
    assert_string_equal(effect_series_reason(series), "no double");
    strcpy(series->points[2].reason, "another");
    assert_null(effect_series_reason(series));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rung_that_relieves_is_named),
        cmocka_unit_test(slower_and_refused_rungs_relieve_nothing),
        cmocka_unit_test(a_step_on_the_cpu_names_what_its_time_hangs_on),
        cmocka_unit_test(a_step_of_launched_code_on_the_cpu_names_its_spills),
        cmocka_unit_test(sectors_and_banks_are_those_touched),
        cmocka_unit_test(a_chart_says_what_is_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
