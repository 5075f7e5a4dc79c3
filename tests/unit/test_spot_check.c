/* A stored ceiling serves only while a few runs of its probe now take as long; a clock that stands still is told. The
 * device's clock is the test's: each sample takes what it says. */
#include "cheats.h"

#include <omp.h>
#include <stdio.h>

#include "lab/bench/runner.h"
#include "lab/ceilings/probes.h"
#include "lab/ceilings/stored_ceiling.h"
#include "store/measurement.h"

#define STORED_NS 1e9
#define WORK ((uint64_t)4096)

static struct device *device;
static struct backend backend; /* the CPU's, with another clock */
static double told[23];
static size_t told_count, asked;

static enum status tell(struct event *from, struct event *to, double *nanoseconds, struct error *error)
{
    (void)from, (void)to, (void)error;
    *nanoseconds = told[asked < told_count ? asked : told_count - 1];
    asked++;
    return STATUS_OK;
}

static int open_device(void **state)
{
    (void)state;
    struct error error;
    if (device_open("cpu", &device, &error) != STATUS_OK)
        return -1;
    omp_set_num_threads(1);
    backend = *device->backend;
    backend.event_elapsed = tell;
    device->backend = &backend;
    return 0;
}

static int close_device(void **state)
{
    (void)state;
    device_close(device);
    return 0;
}

/* A rung of the CPU, made ready. */
struct ready {
    struct problem problem;
    struct dataset data;
    struct workspace workspace;
    struct runner runner;
};

static void make_ready(struct ready *ready, const struct rung *rung)
{
    struct error error = {""};
    struct candidate candidate;
    memset(ready, 0, sizeof *ready);
    if (problem_parse("transpose:rows=64,cols=96", &ready->problem, &error) != STATUS_OK ||
        dataset_create(&ready->problem, &ready->data, &error) != STATUS_OK ||
        workspace_create(&ready->data, device, &ready->workspace, &error) != STATUS_OK ||
        candidate_make(device, rung, &ready->problem, NULL, &candidate, &error) != STATUS_OK ||
        runner_prepare(&ready->runner, &ready->workspace, &candidate, &error) != STATUS_OK)
        FAIL_WITH("%s", error.text);
    ready->runner.is_probe = rung == &probe_copy;
}

static void free_ready(struct ready *ready)
{
    runner_finish(&ready->runner);
    workspace_destroy(&ready->workspace);
    dataset_destroy(&ready->data);
}

/* One ceiling of this device: twenty samples of STORED_NS. */
static void store_ceiling(struct measurement_list *list)
{
    struct measurement *ceiling = measurement_list_add(list);
    assert_non_null(ceiling);
    snprintf(ceiling->kernel, sizeof ceiling->kernel, CEILING_KERNEL);
    snprintf(ceiling->rung, sizeof ceiling->rung, "dram-copy");
    snprintf(ceiling->rate_unit, sizeof ceiling->rate_unit, "GB/s");
    snprintf(ceiling->device, sizeof ceiling->device, "%s", device->id);
    snprintf(ceiling->device_name, sizeof ceiling->device_name, "%s", device->properties.name);
    snprintf(ceiling->driver, sizeof ceiling->driver, "%s", device->properties.driver);
    ceiling->threads = 1;
    ceiling->kind = MEASURED_PROBE;
    ceiling->verdict = VERDICT_PASS;
    ceiling->work = WORK;
    ceiling->made_at = 86400; /* 2 January 1970 */
    for (int i = 0; i < 20; i++)
        assert_true(samples_add(&ceiling->phases[PHASE_COMPUTE], STORED_NS, (uint32_t)i));
}

/* Whether the ceiling serves work of `bytes` whose probe's samples take so long now. */
static bool serves(double now, uint64_t bytes, bool cold, struct measurement *measurement)
{
    struct ready ready;
    struct measurement_list list = {0};
    make_ready(&ready, &probe_copy);
    store_ceiling(&list);
    memset(measurement, 0, sizeof *measurement);
    measurement->bytes = (double)bytes;
    told[0] = now;
    told_count = 1;
    const bool does = stored_ceiling_serves(&ready.runner, &list, cold, measurement);
    measurement_list_free(&list);
    free_ready(&ready);
    return does;
}

static void a_probe_that_takes_as_long_confirms_it(void **state)
{
    (void)state;
    static const struct {
        double now;
        bool serves;
    } rows[] = {{1e9, true},      {1.029e9, true}, {0.971e9, true}, {1.031e9, false},
                {0.969e9, false}, {0.5e9, false},  {2e9, false}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct measurement measurement;
        assert_int_equal(serves(rows[i].now, WORK, false, &measurement), rows[i].serves);
        assert_string_equal(measurement.detail, rows[i].serves ? "stored: dram-copy of 1970-01-02, confirmed now" : "");
        const struct samples *samples = &measurement.phases[PHASE_COMPUTE];
        assert_int_equal(samples->count, rows[i].serves ? 20 : 0);
        for (size_t s = 0; s < samples->count; s++) {
            assert_float_equal(samples->items[s].nanoseconds, STORED_NS, 1e-3);
            assert_int_equal(samples->items[s].round, UINT32_MAX); /* of no round of this bench */
        }
        free(measurement.phases[PHASE_COMPUTE].items);
    }
}

/* Three times the bytes, three times the nanoseconds; cold runs have no stored ceiling. */
static void other_work_is_scaled(void **state)
{
    (void)state;
    struct measurement measurement;
    assert_true(serves(3 * STORED_NS, 3 * WORK, false, &measurement));
    assert_float_equal(measurement.phases[PHASE_COMPUTE].items[0].nanoseconds, 3 * STORED_NS, 1e-3);
    free(measurement.phases[PHASE_COMPUTE].items);
    assert_false(serves(STORED_NS, 3 * WORK, false, &measurement));
    assert_false(serves(STORED_NS, WORK, true, &measurement));
}

/* The median decides: three of seven samples may be wild. */
static void the_median_of_seven_is_compared(void **state)
{
    (void)state;
    for (size_t wild = 3; wild < 5; wild++) {
        struct ready ready;
        struct measurement measurement = {.bytes = WORK};
        struct measurement_list list = {0};
        make_ready(&ready, &probe_copy);
        store_ceiling(&list);
        told[0] = STORED_NS; /* the warm-up: a run this long needs no second one */
        for (size_t i = 0; i < 7; i++)
            told[1 + i] = i < wild ? 9 * STORED_NS : STORED_NS;
        told_count = 8;
        asked = 0;
        assert_int_equal(stored_ceiling_serves(&ready.runner, &list, false, &measurement), wild < 4);
        assert_int_equal(asked, 8);
        free(measurement.phases[PHASE_COMPUTE].items);
        measurement_list_free(&list);
        free_ready(&ready);
    }
}

static void a_clock_that_stands_still_is_told(void **state)
{
    (void)state;
    struct ready ready;
    struct error error = {""};
    const struct rung rung = host_rung("right", right);
    make_ready(&ready, &rung);
    told[0] = 0;
    told_count = 1;
    assert_int_equal(runner_warm_up(&ready.runner, false, &error), STATUS_SYSTEM);
    assert_memory_equal(error.text, "its driver's clock stands still: 0 s for runs that take ", 55);
    free_ready(&ready);
}

/* One that stands still for twenty runs, for ten in a row and for a hundred, and moves within a thousand. */
static void a_coarse_clock_is_enough(void **state)
{
    (void)state;
    struct ready ready;
    struct error error = {""};
    const struct rung rung = host_rung("right", right);
    make_ready(&ready, &rung);
    memset(told, 0, sizeof told);
    told_count = 23;
    told[22] = 1000;
    asked = 0;
    assert_int_equal(runner_warm_up(&ready.runner, false, &error), STATUS_OK);
    free_ready(&ready);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_probe_that_takes_as_long_confirms_it),
        cmocka_unit_test(other_work_is_scaled),
        cmocka_unit_test(the_median_of_seven_is_compared),
        cmocka_unit_test(a_clock_that_stands_still_is_told),
        cmocka_unit_test(a_coarse_clock_is_enough),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
