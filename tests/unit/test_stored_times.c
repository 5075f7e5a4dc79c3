/* What a store knows of this machine decides which rung serves a problem; what it does not know decides nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#undef fail /* ours is base/status.h's */
#define FAIL_WITH(...) (print_error(__VA_ARGS__), _fail(__FILE__, __LINE__))

#include "lab/bench/stored_times.h"

#include <omp.h>

#define PROBLEM "dot:n=67108864,input=unit,f32"

static struct device *device;
static struct store *store;

static int open_both(void **state)
{
    (void)state;
    struct error error;
    return device_open("cpu", &device, &error) == STATUS_OK ? 0 : -1;
}

static int close_both(void **state)
{
    (void)state;
    device_close(device);
    return 0;
}

static int empty_store(void **state)
{
    (void)state;
    struct error error;
    return store_open(STORE_IN_MEMORY, &store, &error) == STATUS_OK ? 0 : -1;
}

static int close_store(void **state)
{
    (void)state;
    store_close(store);
    return 0;
}

static int64_t begin_run(void)
{
    int64_t run;
    struct error error;
    const struct run_facts facts = {.command = "bench", .code_version = "test"};
    assert_int_equal(store_begin_run(store, &facts, &run, &error), STATUS_OK);
    return run;
}

/* A rung's time on this device; `spoil` (may be NULL) makes another measurement of it. */
static void put(int64_t run, const char *rung, double nanoseconds, void (*spoil)(struct measurement *))
{
    struct measurement_list list = {0};
    struct error error;
    struct measurement *measurement = measurement_list_add(&list);
    assert_non_null(measurement);
    snprintf(measurement->kernel, sizeof measurement->kernel, "dot");
    snprintf(measurement->problem, sizeof measurement->problem, PROBLEM);
    snprintf(measurement->rung, sizeof measurement->rung, "%s", rung);
    snprintf(measurement->device, sizeof measurement->device, "%s", device->id);
    snprintf(measurement->device_name, sizeof measurement->device_name, "%s", device->properties.name);
    snprintf(measurement->driver, sizeof measurement->driver, "%s", device->properties.driver);
    snprintf(measurement->rate_unit, sizeof measurement->rate_unit, "GB/s");
    measurement->threads = (unsigned)omp_get_max_threads();
    measurement->batch = 1;
    measurement->made_at = 1000 + run;
    for (uint32_t round = 0; round < 9; round++)
        assert_true(samples_add(&measurement->phases[PHASE_COMPUTE], nanoseconds, round));
    if (spoil)
        spoil(measurement);
    assert_int_equal(store_add(store, run, measurement, NULL, &error), STATUS_OK);
    measurement_list_free(&list);
}

static const char *chosen(void)
{
    struct error error;
    struct problem problem;
    struct rung_choice choice;
    struct stored_times stored;
    stored_times_borrow(&stored, store);
    assert_int_equal(problem_parse(PROBLEM, &problem, &error), STATUS_OK);
    assert_int_equal(choose_rung(&problem, device, &stored.times, &choice, &error), STATUS_OK);
    stored_times_close(&stored);
    return choice.rung->name;
}

/* parallel-simd is what the costs in results/ choose. */
static void the_faster_of_one_run_is_chosen(void **state)
{
    (void)state;
    assert_string_equal(chosen(), "parallel-simd");
    int64_t run = begin_run();
    put(run, "parallel-simd", 2e7, NULL);
    put(run, "simd", 1e7, NULL);
    assert_string_equal(chosen(), "simd");
    run = begin_run(); /* the newest counts */
    put(run, "parallel-simd", 1e7, NULL);
    put(run, "simd", 2e7, NULL);
    assert_string_equal(chosen(), "parallel-simd");
}

/* Two runs are not compared with each other: machines have other states at other times. */
static void a_run_of_one_rung_decides_nothing(void **state)
{
    (void)state;
    int64_t run = begin_run();
    put(run, "parallel-simd", 2e7, NULL);
    put(run, "simd", 3e7, NULL);
    run = begin_run();
    put(run, "simd", 1e7, NULL);
    assert_string_equal(chosen(), "parallel-simd");
}

static void keep_one_sample(struct measurement *measurement)
{
    measurement->phases[PHASE_COMPUTE].count = 1;
}

static void a_single_sample_counts(void **state)
{
    (void)state;
    int64_t run = begin_run();
    put(run, "parallel-simd", 2e7, keep_one_sample);
    put(run, "simd", 1e7, keep_one_sample);
    assert_string_equal(chosen(), "simd");
}

static void spoil_verdict(struct measurement *measurement)
{
    measurement->verdict = VERDICT_FAIL;
}

static void spoil_cold(struct measurement *measurement)
{
    measurement->cold = true;
}

static void spoil_threads(struct measurement *measurement)
{
    measurement->threads++;
}

static void spoil_name(struct measurement *measurement)
{
    strcpy(measurement->device_name, "another processor");
}

static void spoil_driver(struct measurement *measurement)
{
    strcpy(measurement->driver, "another kernel");
}

static void spoil_parameters(struct measurement *measurement)
{
    strcpy(measurement->parameters, "ROWS=3");
}

static void spoil_noise(struct measurement *measurement)
{
    for (size_t i = 0; i < measurement->phases[PHASE_COMPUTE].count; i++)
        measurement->phases[PHASE_COMPUTE].items[i].nanoseconds *= i % 2 ? 9 : 1;
}

static void spoil_kind(struct measurement *measurement)
{
    measurement->kind = MEASURED_PROBE;
}

static void what_was_measured_otherwise_decides_nothing(void **state)
{
    (void)state;
    static void (*const spoils[])(struct measurement *) = {spoil_verdict, spoil_cold,       spoil_threads, spoil_name,
                                                           spoil_driver,  spoil_parameters, spoil_noise,   spoil_kind};
    for (size_t i = 0; i < sizeof spoils / sizeof spoils[0]; i++) {
        int64_t run = begin_run();
        put(run, "parallel-simd", 2e7, NULL);
        put(run, "serial", 9e7, NULL);
        put(run, "simd", 1e7, spoils[i]);
        if (strcmp(chosen(), "parallel-simd") != 0)
            FAIL_WITH("measurement %zu, made otherwise, was taken\n", i);
    }
}

static void no_store_is_no_error(void **state)
{
    (void)state;
    struct stored_times stored;
    stored_times_open(&stored, "/nowhere/store.sqlite");
    struct problem problem;
    struct rung_choice choice;
    struct error error;
    assert_int_equal(problem_parse(PROBLEM, &problem, &error), STATUS_OK);
    assert_int_equal(choose_rung(&problem, device, &stored.times, &choice, &error), STATUS_OK);
    assert_string_equal(choice.rung->name, "parallel-simd");
    stored_times_close(&stored);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_faster_of_one_run_is_chosen, empty_store, close_store),
        cmocka_unit_test_setup_teardown(a_run_of_one_rung_decides_nothing, empty_store, close_store),
        cmocka_unit_test_setup_teardown(a_single_sample_counts, empty_store, close_store),
        cmocka_unit_test_setup_teardown(what_was_measured_otherwise_decides_nothing, empty_store, close_store),
        cmocka_unit_test(no_store_is_no_error),
    };
    return cmocka_run_group_tests(tests, open_both, close_both);
}
