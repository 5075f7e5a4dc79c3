/* The architectures' tables agree with themselves: every figure has a source, and figures that follow from each other
 * do. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "architectures/architectures.h"

static double value(const struct capability *row, enum capability_column column)
{
    return row->figures[column].value;
}

static bool known(const struct capability *row, enum capability_column column)
{
    return figure_is_known(row->figures[column]);
}

static void test_every_figure_has_a_source(void **state)
{
    (void)state;
    for (int s = SOURCE_NONE + 1; s < SOURCE_COUNT; s++) {
        assert_true(strlen(source_of((enum source_id)s)->title) > 8);
        for (int other = SOURCE_NONE + 1; other < s; other++)
            assert_string_not_equal(source_of((enum source_id)s)->key, source_of((enum source_id)other)->key);
    }
    for (size_t i = 0; i < capability_count; i++)
        for (int c = 0; c < CAPABILITY_COLUMNS; c++)
            assert_true(known(&capabilities[i], c) || capabilities[i].figures[c].value == 0);
    for (size_t i = 0; i < gpu_count; i++)
        for (int c = 0; c < GPU_COLUMNS; c++)
            assert_true(figure_is_known(gpus[i].figures[c]) || gpus[i].figures[c].value == 0);
}

static void test_capabilities_rise_and_agree(void **state)
{
    (void)state;
    double before = 0;
    for (size_t i = 0; i < capability_count; i++) {
        const struct capability *row = &capabilities[i];
        int major, minor;
        assert_int_equal(sscanf(row->version, "%d.%d", &major, &minor), 2);
        assert_true(major * 100 + minor > before);
        before = major * 100 + minor;
        assert_ptr_equal(capability_by_version(row->version), row);
        assert_true(value(row, CAPABILITY_ITEMS) == 32 * value(row, CAPABILITY_WARPS));
        assert_true(value(row, CAPABILITY_LOCAL_GROUP) <= value(row, CAPABILITY_LOCAL));
        if (known(row, CAPABILITY_CACHE) && (major == 2 || major == 3 || major >= 7))
            assert_true(value(row, CAPABILITY_LOCAL) <= value(row, CAPABILITY_CACHE));
        if (known(row, CAPABILITY_SCHEDULERS) && major >= 5)
            assert_true(fmod(value(row, CAPABILITY_CORES), value(row, CAPABILITY_SCHEDULERS)) == 0);
        assert_true(known(row, CAPABILITY_CORES) && known(row, CAPABILITY_REGISTERS));
    }
    assert_string_equal(capabilities[0].version, "1.0");
    assert_null(capability_by_version("4.0"));
}

/* 1.x count the multiplication that goes beside a multiply-add; published peaks are rounded to two or three digits. */
static void test_peaks_follow_from_units_and_clock(void **state)
{
    (void)state;
    size_t checked = 0;
    for (size_t i = 0; i < gpu_count; i++) {
        const struct gpu *gpu = &gpus[i];
        const struct capability *row = capability_by_version(gpu->version);
        assert_non_null(row);
        if (!figure_is_known(gpu->figures[GPU_UNITS]) || !figure_is_known(gpu->figures[GPU_CLOCK]))
            continue;
        double each = gpu->version[0] == '1' && gpu->version[1] == '.' ? 3 : 2;
        double peak =
            gpu->figures[GPU_UNITS].value * value(row, CAPABILITY_CORES) * each * gpu->figures[GPU_CLOCK].value * 1e-3;
        if (fabs(gpu->figures[GPU_FP32].value / peak - 1) > 0.015)
            fail_msg("%s: %.0f GFLOP/s published, %.0f from its units", gpu->name, gpu->figures[GPU_FP32].value, peak);
        checked++;
    }
    assert_true(checked >= 20);
}

/* A document that was not at hand was not read: none of its figures may stand without a mark. */
static void test_figures_say_how_far_they_were_checked(void **state)
{
    (void)state;
    size_t count[FIGURE_CHECKS] = {0};
    for (size_t i = 0; i < capability_count + gpu_count + cpu_family_count; i++) {
        bool is_gpu = i >= capability_count && i < capability_count + gpu_count;
        const struct figure *figures = i < capability_count ? capabilities[i].figures
                                       : is_gpu             ? gpus[i - capability_count].figures
                                                            : cpu_families[i - capability_count - gpu_count].figures;
        int columns = i < capability_count ? CAPABILITY_COLUMNS : is_gpu ? GPU_COLUMNS : CPU_COLUMNS;
        for (int c = 0; c < columns; c++) {
            if (!figure_is_known(figures[c]))
                continue;
            const char *note = source_of(figures[c].source)->note;
            count[figures[c].check]++;
            assert_true(note[0]);
            if (strncmp(note, "not at hand", 11) == 0)
                assert_int_not_equal(figures[c].check, FIGURE_READ);
            if (figures[c].check == FIGURE_ELSEWHERE)
                assert_non_null(strstr(note, "~: "));
        }
    }
    assert_true(count[FIGURE_READ] > count[FIGURE_ELSEWHERE] && count[FIGURE_ELSEWHERE] > count[FIGURE_UNCHECKED]);
}

/* As the slides publish them, cut or rounded to a tenth; the Titan X's from 10.95, where its maker says 11 TFLOP/s. */
static void test_published_balances_are_flops_over_bandwidth(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double balance;
    } published[] = {{"Tesla C1060", 9.1}, {"Tesla C2050", 7.1},      {"Tesla K20", 16.9}, {"Tesla K40", 17.5},
                     {"Tesla M40", 23.7},  {"Tesla P100-PCIE", 12.9}, {"TITAN X", 22.8}};
    size_t seen = 0;
    for (size_t i = 0; i < gpu_count; i++)
        for (size_t p = 0; p < sizeof published / sizeof published[0]; p++)
            if (strcmp(gpus[i].name, published[p].name) == 0) {
                seen++;
                assert_true(gpus[i].figures[GPU_BALANCE].value == published[p].balance);
                assert_true(fabs(gpu_balance(&gpus[i]) - published[p].balance) < 0.12);
            }
    assert_int_equal(seen, 7);
}

static void test_devices_find_their_gpu(void **state)
{
    (void)state;
    assert_string_equal(gpu_by_device_name("NVIDIA H200")->name, "H200");
    assert_string_equal(gpu_by_device_name("NVIDIA A100-SXM4-80GB")->name, "A100-SXM4-80GB");
    assert_string_equal(gpu_by_device_name("Tesla P100-PCIE-16GB")->name, "Tesla P100-PCIE");
    assert_null(gpu_by_device_name("NVIDIA GeForce RTX 5080 Laptop GPU"));
    assert_null(gpu_by_device_name("NVIDIA H200 NVL"));
    assert_null(gpu_by_device_name("pthread-AMD EPYC"));
}

static void test_cpus_are_found_by_family_and_model(void **state)
{
    (void)state;
    const struct cpu_family *zen4 = cpu_family_find("AuthenticAMD", 25, 17);
    assert_non_null(zen4);
    assert_string_equal(zen4->name, "Zen 4");
    assert_true(zen4->figures[CPU_FLOATS_AVX512].value == 32);
    assert_null(cpu_family_find("AuthenticAMD", 25, 0xf0));
    for (size_t i = 0; i < cpu_family_count; i++)
        for (size_t j = 0; j < i; j++) /* no model twice */
            assert_false(strcmp(cpu_families[i].vendor, cpu_families[j].vendor) == 0 &&
                         cpu_families[i].family == cpu_families[j].family &&
                         cpu_families[i].model_from <= cpu_families[j].model_to &&
                         cpu_families[j].model_from <= cpu_families[i].model_to);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_figure_has_a_source),
        cmocka_unit_test(test_figures_say_how_far_they_were_checked),
        cmocka_unit_test(test_capabilities_rise_and_agree),
        cmocka_unit_test(test_peaks_follow_from_units_and_clock),
        cmocka_unit_test(test_published_balances_are_flops_over_bandwidth),
        cmocka_unit_test(test_devices_find_their_gpu),
        cmocka_unit_test(test_cpus_are_found_by_family_and_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
