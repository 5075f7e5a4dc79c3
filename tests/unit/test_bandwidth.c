/* Copies are verified: what did not travel is found. And what the table makes of the figures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/transfers/bandwidth.h"
#include "lab/transfers/copy_buffers.h"
#include "report/terminal/report.h"

#include <cmocka.h> /* last: it has a macro called fail */

#include "verdicts.h"

static struct device *open_named(const char *name)
{
    struct device *device = NULL;
    struct error error = {""};
    if (device_open(name, &device, &error) != STATUS_OK) {
        print_message("SKIP: %s\n", error.text);
        skip();
    }
    return device;
}

/* Spoilt and not copied, a way's result must be found wrong; copied, right; copied but for its last byte, wrong. */
static void find_what_did_not_travel(const char *name)
{
    static const size_t sizes[] = {64, 1000, 70000};
    struct device *device = open_named(name);
    for (size_t s = 0; s < 3; s++) {
        struct copy_buffers carrier;
        struct error error = {""}, why_not;
        double nanoseconds;
        assert_int_equal(copy_buffers_create(device, sizes[s], &carrier, &why_not, &error), STATUS_OK);
        for (size_t w = 0; w < way_count; w++) {
            const struct copy_path *way = &ways[w];
            if (way->pins && !carrier.staging)
                continue;
            assert_int_equal(way->spoil(&carrier, way, &error), STATUS_OK);
            assert_int_equal(way->verify(&carrier, way, &error), STATUS_FAILED);
            assert_int_equal(way->spoil(&carrier, way, &error), STATUS_OK);
            for (unsigned batch = 1; batch <= 5; batch += 4)
                assert_int_equal(way->sample(&carrier, way, batch, &nanoseconds, &error), STATUS_OK);
            if (way->verify(&carrier, way, &error) != STATUS_OK)
                fail_msg("%s, %zu bytes, %s %s: %s", name, sizes[s], way->what, way->rung, error.text);
        }
        carrier.plain[0][sizes[s] - 1] ^= 1; /* what should have arrived is another */
        assert_int_equal(ways[0].verify(&carrier, &ways[0], &error), STATUS_FAILED);
        assert_non_null(strstr(error.text, "did not arrive on the device"));
        copy_buffers_destroy(&carrier);
    }
    device_close(device);
}

static void what_did_not_travel_is_found(void **state)
{
    (void)state;
    find_what_did_not_travel("cpu");
}

static void what_did_not_travel_to_opencl_is_found(void **state)
{
    (void)state;
    find_what_did_not_travel("opencl");
}

static void every_way_is_a_measurement(void **state)
{
    (void)state;
    struct error error = {""};
    struct measurement_list list = {0};
    struct device *cpu = open_named("cpu");
    struct bandwidth_options options = {.from = 1024, .to = 5000, .factor = 4, .seconds = 0.0001};
    assert_int_equal(lab_bandwidth(cpu, &options, &list, &error), STATUS_OK);
    assert_int_equal(list.count, 2 * way_count - 2); /* two ways at the smallest size only */
    for (size_t i = 0; i < list.count; i++) {
        const struct measurement *measurement = &list.items[i];
        bool pins = strstr(measurement->problem, "pinned") || strcmp(measurement->rung, "ring") == 0 ||
                    strstr(measurement->problem, "both");
        expect_reason(measurement, pins ? VERDICT_SKIP : VERDICT_PASS, "");
        assert_int_equal(measurement->phases[PHASE_COMPUTE].count >= 3, !pins);
    }
    assert_string_equal(list.items[0].problem, "bandwidth:to-device,bytes=1024,pageable");
    measurement_list_free(&list);
    device_close(cpu);
    struct device *null = open_named("null");
    assert_int_equal(lab_bandwidth(null, &options, &list, &error), STATUS_INVALID);
    device_close(null);
}

static struct measurement *add(struct measurement_list *list, const char *problem, const char *rung, double work,
                               double nanoseconds)
{
    struct measurement *added = measurement_list_add(list);
    snprintf(added->kernel, sizeof added->kernel, "bandwidth");
    snprintf(added->problem, sizeof added->problem, "%s", problem);
    snprintf(added->rung, sizeof added->rung, "%s", rung);
    snprintf(added->device, sizeof added->device, "cuda:0");
    added->work = added->bytes = work;
    samples_add(&added->phases[PHASE_COMPUTE], nanoseconds, 0);
    return added;
}

static void the_table_has_rates_and_shares(void **state)
{
    (void)state;
    struct measurement_list list = {0};
    char *text = NULL;
    size_t size = 0;
    add(&list, "bandwidth:to-device,bytes=1000000,pinned", "PCIe 5.0 x16", 1e6, 1e6 / 63)->kind = MEASURED_PROBE;
    add(&list, "bandwidth:to-device,bytes=1000000,pinned", "queue", 1e6, 1e6 / 50.4);
    struct measurement *skipped = add(&list, "bandwidth:both,bytes=1000000,pinned", "queue", 2e6, 0);
    skipped->verdict = VERDICT_SKIP;
    snprintf(skipped->reason, sizeof skipped->reason, "no second queue");
    FILE *stream = open_memstream(&text, &size);
    report_bandwidth(stream, &list, (struct style){.width = 100});
    fclose(stream);
    assert_non_null(strstr(text, "     50.4")); /* GB/s */
    assert_non_null(strstr(text, "     80.0")); /* % of the bus */
    assert_non_null(strstr(text, "PCIe 5.0 x16"));
    assert_non_null(strstr(text, "no second queue"));
    free(text);
    measurement_list_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_did_not_travel_is_found),
        cmocka_unit_test(what_did_not_travel_to_opencl_is_found),
        cmocka_unit_test(every_way_is_a_measurement),
        cmocka_unit_test(the_table_has_rates_and_shares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
