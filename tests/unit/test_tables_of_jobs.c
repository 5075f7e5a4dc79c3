/* Tables of jobs in parts, of kinds of memory, of several devices and technologies, of histories and protocols, as a
 * whole: their figures are worked out by hand, in the comments. */
#include "report/terminal/history.h"
#include "report/terminal/report.h"
#include "store/store.h"
#include "tables.h"

#define PROBLEM "transpose:rows=1000,cols=1000,f32"

static struct measurement *set(struct measurement *one, const char *kernel, const char *parameters)
{
    snprintf(one->kernel, sizeof one->kernel, "%s", kernel);
    snprintf(one->parameters, sizeof one->parameters, "%s", parameters);
    one->ceiling[0] = '\0';
    return one;
}

static void times(struct measurement *one, enum phase phase, double nanoseconds)
{
    for (uint32_t round = 0; round < 12; round++)
        assert_true(samples_add(&one->phases[phase], nanoseconds, round));
}

/* 8 MB; the longest phase takes 20 us, both copies at once 25. Serial 50: 40 % of the one, 50 % of the other; in parts
 * 26: 76.9, 96.2, 1.92 times as fast as serial; by phase 40: 50, 62.5, 1.25. */
static void a_job_in_parts(void **state)
{
    (void)state;
    struct measurement_list list = {0};
    set(add(&list, PROBLEM, "copy-in", MEASURED_PROBE, 20000), "overlap", "memory=pinned");
    set(add(&list, PROBLEM, "compute", MEASURED_PROBE, 10000), "overlap", "memory=pinned");
    set(add(&list, PROBLEM, "copy-out", MEASURED_PROBE, 19000), "overlap", "memory=pinned");
    set(add(&list, PROBLEM, "both-ways", MEASURED_PROBE, 25000), "overlap", "memory=pinned");
    set(add(&list, PROBLEM, "tiled", MEASURED_DEVICE, 50000), "overlap", "queues=1 parts=1 memory=pinned");
    set(add(&list, PROBLEM, "tiled", MEASURED_DEVICE, 26000), "overlap", "queues=4 parts=16 memory=pinned");
    set(add(&list, PROBLEM, "tiled", MEASURED_DEVICE, 40000), "overlap", "queues=3 parts=16 by=phase memory=pinned");
    judged(set(add(&list, PROBLEM, "tiled", MEASURED_DEVICE, 0), "overlap", "queues=8 parts=16 memory=pinned"),
           VERDICT_FAIL, "byte 7 is wrong");
    set(add(&list, PROBLEM, "copy", MEASURED_PROBE, 5000), "transpose", ""); /* of another table */
    for (size_t i = 0; i < 8; i++)
        strcpy(list.items[i].ceiling, "copy-in");
    SHOWS("overlap", report_overlap(stream, &list, usual));
    SHOWS("overlap-80", report_overlap(stream, &list, narrow));
    measurement_list_free(&list);
}

/* From pageable memory 100 us, from pinned 50: twice as fast. 8 MB in 100 us are 80 GB/s. */
static void kinds_of_memory(void **state)
{
    (void)state;
    struct measurement_list list = {0};
    static const struct {
        const char *kind;
        double whole, upload, compute, download;
    } rows[] = {{"memory=pageable", 100000, 40000, 20000, 40000},
                {"memory=pinned", 50000, 15000, 20000, 15000},
                {"memory=managed", 200000, 0, 200000, 0}};
    for (size_t i = 0; i < 3; i++) {
        struct measurement *one =
            set(add(&list, PROBLEM, "tiled", MEASURED_DEVICE, rows[i].whole), "memory", rows[i].kind);
        times(one, PHASE_END_TO_END, rows[i].whole);
        times(one, PHASE_UPLOAD, rows[i].upload);
        times(one, PHASE_LAUNCH, rows[i].compute);
        times(one, PHASE_DOWNLOAD, rows[i].download);
    }
    strcpy(list.items[2].warnings, "a doubt");
    judged(set(add(&list, PROBLEM, "tiled", MEASURED_DEVICE, 0), "memory", "memory=mapped"), VERDICT_SKIP,
           "not mapped here");
    SHOWS("memory", report_memory_kinds(stream, &list, usual));
    SHOWS("memory-80", report_memory_kinds(stream, &list, narrow));
    measurement_list_free(&list);
}

/* One device 40 us; two 20 (twice as fast), beside links of 10 (50 %) and parts of 16 (2.5); four 39: no gain. */
static void several_devices(void **state)
{
    (void)state;
    struct measurement_list list = {0};
    set(add(&list, PROBLEM, "tiled", MEASURED_DEVICE, 40000), "transpose", "devices=1");
    set(add(&list, PROBLEM, "links", MEASURED_PROBE, 10000), "transpose", "devices=2");
    set(add(&list, PROBLEM, "parts", MEASURED_PROBE, 16000), "transpose", "devices=2");
    struct measurement *two = set(add(&list, PROBLEM, "pipelined", MEASURED_DEVICE, 20000), "transpose", "devices=2");
    strcpy(two->ceiling, "links");
    two->predicted = 18000;
    set(add(&list, PROBLEM, "links", MEASURED_PROBE, 10000), "transpose", "devices=4");
    strcpy(set(add(&list, PROBLEM, "pipelined", MEASURED_DEVICE, 39000), "transpose", "devices=4")->ceiling, "links");
    judged(set(add(&list, PROBLEM, "nccl", MEASURED_VENDOR, 0), "transpose", "devices=4"), VERDICT_SKIP, "no NCCL");
    SHOWS("devices", report_several_devices(stream, &list, false, usual));
    SHOWS("devices-weak", report_several_devices(stream, &list, true, usual));
    measurement_list_free(&list);
}

/* On the CPU 400 us, 20 GB/s; CUDA 20 us (400 GB/s, 20 times), OpenCL 40 (10 times; CUDA : OpenCL 2). */
static void technologies(void **state)
{
    (void)state;
    struct measurement_list list = {0};
    static const struct {
        const char *device, *rung;
        enum measured_kind kind;
        double compute, whole;
    } rows[] = {{"cpu", "serial", MEASURED_HOST, 400000, 400000},
                {"cuda:0", "tiled", MEASURED_DEVICE, 20000, 200000},
                {"opencl:0", "tiled", MEASURED_DEVICE, 40000, 250000},
                {"cuda:0", "padded", MEASURED_DEVICE, 60000, 240000}, /* slower than OpenCL's */
                {"opencl:0", "padded", MEASURED_DEVICE, 30000, 240000},
                {"cuda:0", "naive", MEASURED_DEVICE, 80000, 260000},
                {"opencl:0", "naive", MEASURED_DEVICE, 0, 0}};
    for (int size = 0; size < 2; size++)
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            struct measurement *one = add(&list, size ? "transpose:rows=2000,cols=2000,f32" : PROBLEM, rows[i].rung,
                                          rows[i].kind, (size ? 4 : 1) * rows[i].compute);
            one->ceiling[0] = '\0';
            one->work *= size ? 4 : 1;
            strcpy(one->device, rows[i].device);
            if (rows[i].whole > 0)
                times(one, PHASE_END_TO_END, (size ? 5 : 1) * rows[i].whole);
            else
                judged(one, VERDICT_SKIP, "needs doubles");
        }
    SHOWS("technologies", report_technologies(stream, &list, usual));
    measurement_list_free(&list);
}

/* Three runs: 10, 20 and 5 us, half of the first; the vendor's in the first alone. */
static void a_history(void **state)
{
    (void)state;
    struct measurement_list list = {0};
    struct store_run items[3] = {0};
    static const double medians[] = {10000, 20000, 5000};
    for (int i = 0; i < 3; i++) {
        struct measurement *one = add(&list, PROBLEM, "tiled", MEASURED_DEVICE, medians[i]);
        one->run = 3 - i;
        items[i].id = i + 1;
        items[i].started = 1700000000 + 86400 * i;
        items[i].measurements = 1;
        snprintf(items[i].command, sizeof items[i].command, "uskor bench transpose --time 0.%d", i + 1);
        snprintf(items[i].code_version, sizeof items[i].code_version, "abc%d", i);
    }
    for (int i = 0; i < 3; i++)
        list.items[i].run = i + 1;
    add(&list, PROBLEM, "cublas", MEASURED_VENDOR, 8000);
    judged(add(&list, PROBLEM, "naive", MEASURED_DEVICE, 0), VERDICT_FAIL, "wrong")->run = 3;
    items[0].measurements = 2;
    items[2].wrong = 1;
    strcpy(items[1].label, "a label");
    struct store_run newest[3] = {items[2], items[1], items[0]};
    const struct store_run_list runs = {.items = newest, .count = 3};
    const struct style wide = {.width = 130};
    SHOWS("runs", report_runs(stream, &runs, usual));
    SHOWS("runs-130", report_runs(stream, &runs, wide));
    WRITES("runs.csv", report_runs_csv(stream, &runs));
    SHOWS("history", report_history(stream, &list, &runs, usual));
    WRITES("history.csv", report_history_csv(stream, &list, &runs));
    FULL(report_runs_json(stream, &runs));
    FULL(report_history_json(stream, &list, &runs));
    measurement_list_free(&list);
}

/* Of sizes: the first rung 400 and 1600 us, the second 500 and 800: ahead from 2000 on, twice as fast there. */
static void a_protocol(void **state)
{
    (void)state;
    struct measurement_list list = {0};
    static const double whole[2][2] = {{400000, 1600000}, {500000, 800000}};
    static const char *const problems[] = {PROBLEM, "transpose:rows=2000,cols=2000,f32"};
    for (int size = 0; size < 2; size++)
        for (int rung = 0; rung < 2; rung++) {
            struct measurement *one = add(&list, problems[size], rung ? "tiled" : "naive", MEASURED_DEVICE, 20000);
            one->ceiling[0] = '\0';
            for (uint32_t i = 0; i < 3; i++) { /* a deviation of a hundredth */
                const double factor = 1 + 0.01 * ((double)i - 1);
                assert_true(samples_add(&one->phases[PHASE_END_TO_END], factor * whole[rung][size], i));
                assert_true(samples_add(&one->phases[PHASE_UPLOAD], 100000, i));
                assert_true(samples_add(&one->phases[PHASE_LAUNCH], 100000, i));
                assert_true(samples_add(&one->phases[PHASE_DOWNLOAD], 100000, i));
            }
        }
    SHOWS("protocol", report_protocol(stream, &list, usual));
    measurement_list_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_job_in_parts), cmocka_unit_test(kinds_of_memory), cmocka_unit_test(several_devices),
        cmocka_unit_test(technologies),   cmocka_unit_test(a_history),       cmocka_unit_test(a_protocol),
    };
    setenv("TZ", "UTC", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
