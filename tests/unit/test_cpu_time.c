/* The time of a CPU rung from its caches' traffic, worked out by hand: a line has 64 bytes, a nanosecond two clocks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "explain/model/cpu_time.h"

#include <cmocka.h> /* last: it has a macro called fail */

static struct cpu_core core = {.window = 100};
static struct explain_caches caches;
static struct explain_target target;

/* 25 ns of work are in flight beside a miss: 100 instructions of 500 clocks for 1000. */
static int usual(void **state)
{
    (void)state;
    caches = (struct explain_caches){
        .geometry = {.line = 64,
                     .clocks = {4, 20, 80},
                     .core = &core,
                     .levels = {{.bytes = 1}, {.bytes = 1}, {.bytes = 1}}},
        .threads = 2,
        .regions = 2,
        .traffic = {.fills = {100, 60, 20}, .writes = {10, 5, 4}, .bypassed = 640},
        .most = {.stalls = {7, 3, 2}, .conflicts = {5, 2, 1}, .page_misses = 10, .page_walks = 4},
        .busiest = {.instructions = 1000, .core_clocks = 500},
    };
    target = (struct explain_target){0};
    target.ceilings[EXPLAIN_CLOCK] = 2;
    target.ceilings[EXPLAIN_L2_READ] = 64;
    target.ceilings[EXPLAIN_L3_READ] = 32;
    target.ceilings[EXPLAIN_DRAM_COPY] = 16;
    target.ceilings[EXPLAIN_DRAM_READ] = 10;
    return 0;
}

static struct explain_model timed(void)
{
    struct explain_model model = {0};
    const struct model_request request = {.target = &target, .caches = &caches};
    explain_cpu_time(&request, &model);
    return model;
}

static void expect_ns(const struct explain_model *model, enum explain_resource resource, double ns)
{
    assert_true(model->is_known[resource]);
    assert_float_equal(model->ns[resource], ns, 1e-6);
}

static void each_resource(void **state)
{
    (void)state;
    const struct explain_model model = timed();
    assert_float_equal(model.moved_bytes, 100 * 64 + 640, 0);
    expect_ns(&model, RESOURCE_L2, 110);           /* 100 lines in and 10 out, 64 bytes a ns */
    expect_ns(&model, RESOURCE_L3, 90);            /* 60 less 20 of memory, and 5: 45 of 2 ns */
    expect_ns(&model, RESOURCE_DRAM, 136);         /* 1280 bytes in, 256 + 640 out, 16 a ns */
    expect_ns(&model, RESOURCE_ISSUE, 250);        /* 500 clocks */
    expect_ns(&model, RESOURCE_LATENCY, 45 + 150); /* 3 waits of 40 - 25 ns, 2 of 100 - 25; those of 10 are hidden */
    expect_ns(&model, RESOURCE_PAGES, 81);         /* 4 walks of 30 clocks and 6 of 7, one at a time */
    expect_ns(&model, RESOURCE_LAUNCH, 6000);
    assert_float_equal(model.dram_bytes, 2176, 0);
    assert_float_equal(model.predicted_ns, 250 + 110 + 195 + 81 + 6000, 1e-6);
}

/* Lines that wait for their set cost what they take longer than the instructions: (5 * 10 + 2 * 40 + 40) * 0.4 = 68 ns,
 * less 50. With 100 clocks 5 ns are hidden: 7 * 5 + 3 * 35 + 2 * 95 = 330. */
static void conflicts_and_short_work(void **state)
{
    (void)state;
    caches.busiest.core_clocks = 100;
    const struct explain_model model = timed();
    expect_ns(&model, RESOURCE_LATENCY, 330 + 18);
}

/* Up to four walks at once; the longest of the ways counts. */
static void walks_and_the_longest_way(void **state)
{
    (void)state;
    caches.busiest.instructions = 500;
    struct explain_model model = timed();
    expect_ns(&model, RESOURCE_PAGES, 81.0 / 2);
    caches.busiest.instructions = 100;
    model = timed();
    expect_ns(&model, RESOURCE_PAGES, 81.0 / 4);
    caches.busiest.instructions = 1000;
    target.ceilings[EXPLAIN_DRAM_COPY] = 1;
    model = timed();
    assert_float_equal(model.predicted_ns, 2176 + 6000, 1e-6);
    target.ceilings[EXPLAIN_DRAM_COPY] = 16;
    target.ceilings[EXPLAIN_L3_READ] = 1;
    model = timed();
    assert_float_equal(model.predicted_ns, 45 * 64 + 6000, 1e-6);
}

/* Memory that is read alone, at most a hundredth written, has the rate of reading. */
static void reading_alone(void **state)
{
    (void)state;
    caches.traffic.bypassed = 0;
    caches.traffic.writes[2] = 0;
    struct explain_model model = timed();
    expect_ns(&model, RESOURCE_DRAM, 128);
    caches.traffic.bypassed = 12;
    model = timed();
    expect_ns(&model, RESOURCE_DRAM, 129.2);
    caches.traffic.bypassed = 13;
    model = timed();
    expect_ns(&model, RESOURCE_DRAM, (1280 + 13) / 16.0);
}

/* One thread has its own rates where they are known, and no parallel region. */
static void one_thread(void **state)
{
    (void)state;
    caches.threads = 1;
    target.one_thread[EXPLAIN_L2_READ] = 32;
    const struct explain_model model = timed();
    expect_ns(&model, RESOURCE_L2, 220);
    expect_ns(&model, RESOURCE_L3, 90);
    assert_false(model.is_known[RESOURCE_LAUNCH]);
    assert_float_equal(model.predicted_ns, 250 + 220 + 195 + 81, 1e-6);
}

static void without_a_time(void **state)
{
    (void)state;
    caches.is_partial = true; /* other functions may take any time */
    assert_float_equal(timed().predicted_ns, 0, 0);
    usual(NULL);
    target.ceilings[EXPLAIN_DRAM_COPY] = 0;
    assert_float_equal(timed().predicted_ns, 0, 0);
    usual(NULL);
    target.ceilings[EXPLAIN_CLOCK] = 0;
    const struct explain_model model = timed();
    assert_float_equal(model.predicted_ns, 0, 0);
    assert_false(model.is_known[RESOURCE_L2]);
    usual(NULL);
    caches.geometry.levels[2].bytes = 0; /* no third cache */
    assert_false(timed().is_known[RESOURCE_L3]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(each_resource, usual),
        cmocka_unit_test_setup(conflicts_and_short_work, usual),
        cmocka_unit_test_setup(walks_and_the_longest_way, usual),
        cmocka_unit_test_setup(reading_alone, usual),
        cmocka_unit_test_setup(one_thread, usual),
        cmocka_unit_test_setup(without_a_time, usual),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
