/* Heat, clocks, energy, cycles: what the sensors say, which samples are left out for it, and the columns of it. */
#include "fixture.h"
#include "nvml.h"

#include "backends/cpu/machine.h"
#include "backends/sensors.h"
#include "base/clock.h"
#include "base/language.h"
#include "lab/bench/bench.h"
#include "lab/bench/run_counts.h"
#include "report/export/csv.h"
#include "report/model/counters.h"
#include "report/terminal/counters.h"

#include <limits.h>
#include <sys/stat.h>

#include "between.h"
#include "verdicts.h"

static void write_number(const char *root, const char *name, const char *number)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", root, name);
    for (char *at = path + strlen(root) + 1; (at = strchr(at, '/')); *at++ = '/') {
        *at = 0;
        mkdir(path, 0700);
    }
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(number, file);
    fclose(file);
}

static void files_of_linux_are_read(void **state)
{
    char root[] = "/tmp/uskor-sys-XXXXXX";
    (void)state;
    assert_non_null(mkdtemp(root));
    struct sensors sensors = processor_sensors(root, 0);
    assert_true(sensors.throttles == 0 && sensors.clock_mhz == 0 && sensors.joules == 0);
    write_number(root, "devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", "3\n");
    write_number(root, "devices/system/cpu/cpu1/thermal_throttle/core_throttle_count", "4\n");
    write_number(root, "devices/system/cpu/cpu0/thermal_throttle/package_throttle_count", "10\n");
    write_number(root, "devices/system/cpu/cpu1/cpufreq/scaling_cur_freq", "2450000\n");
    write_number(root, "class/powercap/intel-rapl:0/energy_uj", "1500000\n");
    write_number(root, "class/powercap/intel-rapl:1/energy_uj", "500000\n");
    sensors = processor_sensors(root, 1);
    remove_tree(root);
    assert_int_equal(sensors.throttles, 17);
    assert_true(sensors.clock_mhz == 2450 && sensors.joules == 2 && !sensors.is_slowed);
}

/* Processors of one machine differ; one that this process may not use says nothing. */
static void the_clock_is_that_of_usable_processors(void **state)
{
    char root[] = "/tmp/uskor-sys-XXXXXX";
    (void)state;
    cpu_set_t usable;
    CPU_ZERO(&usable);
    assert_non_null(mkdtemp(root));
    CPU_SET(1, &usable), CPU_SET(3, &usable);
    assert_int_equal(machine_clock_mhz(root, &usable, 8), 0);
    write_number(root, "proc/cpuinfo",
                 "processor\t: 0\ncpu MHz\t\t: 5000.5\n\nprocessor\t: 1\ncpu MHz\t\t: 2400.9\n\n"
                 "processor\t: 2\ncpu MHz\t\t: 4000\n\nprocessor\t: 3\ncpu MHz\t\t: 2000\n\n"
                 "processor\t: 9\ncpu MHz\t\t: 9000\n");
    assert_int_equal(machine_clock_mhz(root, &usable, 8), 2400);
    write_number(root, "sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "6000000\n");
    assert_int_equal(machine_clock_mhz(root, &usable, 8), 2400); /* nothing of its own processors */
    write_number(root, "sys/devices/system/cpu/cpu1/cpufreq/cpuinfo_max_freq", "3100000\n");
    write_number(root, "sys/devices/system/cpu/cpu3/cpufreq/cpuinfo_max_freq", "3700000\n");
    assert_int_equal(machine_clock_mhz(root, &usable, 8), 3700);
    assert_int_equal(machine_clock_mhz(root, &usable, 3), 3100); /* of the first three processors */
    remove_tree(root);
}

static void a_gpu_is_asked_through_nvml(void **state)
{
    (void)state;
    void *library = dlopen(USKOR_FAKE_NVML, RTLD_NOW);
    assert_non_null(library);
    struct fake_nvml *nvml = dlsym(library, "fake_nvml");
    fake->device_count = 1;
    struct device *device = open_device();
    *nvml = (struct fake_nvml){.reasons = 0x4, .megahertz = 1980, .millijoules = 2500};
    struct sensors sensors = device_sense(device, true);
    assert_true(sensors.clock_mhz == 1980 && sensors.joules == 2.5);
    assert_false(sensors.is_slowed); /* a power cap is not heat */
    sensors = device_sense(device, false);
    assert_true(sensors.clock_mhz == 0 && sensors.joules == 0); /* these take milliseconds, and are not asked for */
    nvml->reasons = 0x40;
    nvml->has_no_energy = 1;
    sensors = device_sense(device, true);
    assert_true(sensors.is_slowed && sensors.joules == 0);
    device_close(device);
}

/* ---- a bench on a CPU whose sensors are made up ---- */

static int looks;     /* at the sensors: one before the rounds, then one a turn where it costs little */
static int heat_from; /* from this look on the count of throttlings is one more */
static bool always_hot;
static int64_t look_ns; /* that a look takes */

static struct sensors made_up(const struct device *device, bool counts)
{
    (void)device, (void)counts;
    looks++;
    if (look_ns)
        clock_sleep(look_ns);
    return (struct sensors){.throttles = looks >= heat_from, .is_slowed = always_hot};
}

static struct measurement_list bench_hot(unsigned samples_least)
{
    struct error error = {""};
    struct problem problem;
    struct device *device;
    struct candidate candidate;
    struct measurement_list list = {0};
    struct bench_options options = bench_defaults();
    assert_int_equal(problem_parse("transpose:rows=64,cols=96", &problem, &error), STATUS_OK);
    assert_int_equal(device_open("cpu", &device, &error), STATUS_OK);
    struct backend backend = *device->backend;
    const struct backend *own = device->backend;
    backend.sense = made_up;
    device->backend = &backend;
    looks = 0;
    options.seconds = 0.002;
    options.probe_ceilings = false;
    options.samples_least = samples_least;
    const struct rung *rung = rung_by_name(problem.kernel, "serial", &error);
    assert_int_equal(candidate_make(device, rung, &problem, NULL, &candidate, &error), STATUS_OK);
    assert_int_equal(lab_bench(&problem, &candidate, 1, &options, &list, &error), STATUS_OK);
    device->backend = own;
    device_close(device);
    assert_int_equal(list.count, 1);
    return list;
}

static bool has_round(const struct measurement *measurement, uint32_t round)
{
    const struct samples *samples = &measurement->phases[PHASE_COMPUTE];
    for (size_t i = 0; i < samples->count; i++)
        if (samples->items[i].round == round)
            return true;
    return false;
}

static void a_throttled_turn_is_left_out(void **state)
{
    (void)state;
    always_hot = false;
    heat_from = 3;                                /* the second turn's look */
    struct measurement_list list = bench_hot(11); /* more than two turns' samples */
    const struct measurement *measurement = &list.items[0];
    expect_reason(measurement, VERDICT_PASS, "");
    assert_between(measurement->throttled, 1, 5);
    assert_true(has_round(measurement, 0) && !has_round(measurement, 1) && has_round(measurement, 2));
    measurement_list_free(&list);
}

static void without_a_cool_turn_there_is_no_figure(void **state)
{
    (void)state;
    always_hot = true;
    struct measurement_list list = bench_hot(0);
    expect_reason(&list.items[0], VERDICT_SKIP, "heat slowed the device down");
    measurement_list_free(&list);
}

/* NVML takes some 10 ms a look: with one in each turn the sensors took most of a bench. */
static void looks_that_take_long_are_rare(void **state)
{
    (void)state;
    always_hot = false;
    heat_from = INT_MAX;
    look_ns = 5000000;
    const int64_t begun = clock_now();
    struct measurement_list list = bench_hot(500); /* a hundred turns */
    const int64_t looked = clock_now() - begun;
    look_ns = 0;
    assert_true(list.items[0].phases[PHASE_COMPUTE].count >= 500);
    assert_true(looks <= 3 + looked / (20 * 5000000));
    measurement_list_free(&list);
}

/* ---- counts ---- */

static void means_are_of_one_run(void **state)
{
    (void)state;
    struct measurement measurement = {.verdict = VERDICT_PASS};
    /* 3 J in 0.3 s are 10 W; a run of 1 ms takes 10 mJ. */
    struct run_counts counts = {
        .joules = 3, .joules_ns = 0.3e9, .megahertz = 6000, .readings = 3, .events = {8e6, 4e6}, .event_runs = 4};
    assert_true(samples_add(&measurement.phases[PHASE_COMPUTE], 1e6, 0));
    run_counts_note(&counts, &measurement);
    assert_true(measurement.joules > 0.00999999 && measurement.joules < 0.01000001);
    assert_true(measurement.clock_mhz == 2000 && measurement.cycles == 2e6 && measurement.instructions == 1e6);
    counts.joules_ns = 0.01e9; /* too short for the sensors' steps */
    measurement.joules = 0;
    run_counts_note(&counts, &measurement);
    assert_true(measurement.joules == 0);
    measurement_free(&measurement);
}

/* Where this system counts, a loop of a million additions takes at least as many instructions; elsewhere nothing. */
static void cycles_and_instructions_are_counted(void **state)
{
    (void)state;
    struct processor_events events;
    double totals[EVENT_COUNT] = {0};
    volatile unsigned sum = 0;
    const bool is_counting = processor_events_begin(&events);
    for (unsigned i = 0; i < 1000000; i++)
        sum += i;
    assert_int_equal(sum, 1783293664); /* of 32 bits */
    if (processor_events_end(&events, totals))
        assert_true(is_counting && totals[EVENT_INSTRUCTIONS] >= 1e6 && totals[EVENT_CYCLES] > 0);
    else
        assert_true(totals[EVENT_INSTRUCTIONS] == 0 && totals[EVENT_CYCLES] == 0);
}

static void counts_have_columns(void **state)
{
    char *text = NULL;
    size_t size = 0;
    (void)state;
    struct measurement measurement = {.rung = "tiled",
                                      .verdict = VERDICT_PASS,
                                      .clock_mhz = 2000,
                                      .joules = 0.01,
                                      .cycles = 2e6,
                                      .instructions = 1e6,
                                      .throttled = 5};
    struct measurement_list list = {&measurement, 1, 1};
    struct figure figures[COUNTERS];
    counters_of(&(struct measurement){.clock_mhz = 2000, .instructions = 1e6}, figures);
    assert_true(strcmp(figures[3].text, "—") == 0 && strcmp(figures[4].text, "—") == 0);
    assert_true(samples_add(&measurement.phases[PHASE_COMPUTE], 1e6, 0));
    FILE *stream = open_memstream(&text, &size);
    counters_print(stream, &list, &measurement, (struct style){.width = 140});
    fclose(stream);
    static const char *const words[] = {"energy of a run", "tiled", "2.00 GHz", "10.0 mJ", "10.0 W", "2.00 M", "0.500"};
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (!strstr(text, words[i]))
            fail_msg("no '%s' in: %s", words[i], text);
    free(text);
    measurement_free(&measurement);
}

/* ---- a command's CSV as Markdown ---- */

static bool write_csv(FILE *stream, const void *text)
{
    return fputs(text, stream) >= 0;
}

static void csv_becomes_a_table(void **state)
{
    char *text = NULL;
    size_t size = 0;
    (void)state;
    FILE *stream = open_memstream(&text, &size);
    assert_true(
        markdown_of_csv(stream, write_csv, "device,rung,time,note\ncpu,\"a,\"\"b\"\"|c\",1.23456789,\ncpu,d,20,\n"));
    fclose(stream);
    assert_string_equal(text, "device: cpu\n\n"
                              "| rung | time |\n|---|---|\n| a,\"b\"\\|c | 1.235 |\n| d | 20 |\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_of_linux_are_read),
        cmocka_unit_test(the_clock_is_that_of_usable_processors),
        TEST(a_gpu_is_asked_through_nvml),
        cmocka_unit_test(looks_that_take_long_are_rare),
        cmocka_unit_test(a_throttled_turn_is_left_out),
        cmocka_unit_test(without_a_cool_turn_there_is_no_figure),
        cmocka_unit_test(means_are_of_one_run),
        cmocka_unit_test(cycles_and_instructions_are_counted),
        cmocka_unit_test(counts_have_columns),
        cmocka_unit_test(csv_becomes_a_table),
    };
    return cmocka_run_group_tests(tests, start, finish);
}
