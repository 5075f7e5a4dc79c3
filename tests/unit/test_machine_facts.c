/* What a machine's properties are beside published ones: derived figures of a made-up machine with an H200. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#undef fail

#include "base/size.h"
#include "publications/reproduction.h"

static const char *fact(const struct here_fact *facts, size_t count, const char *device, const char *key)
{
    const char *found = "";
    for (size_t i = 0; i < count; i++)
        if (strcmp(facts[i].device, device) == 0 && strcmp(facts[i].key, key) == 0) {
            assert_string_equal(found, ""); /* once */
            found = facts[i].value;
        }
    return found;
}

static void of_a_gpu_and_its_host(void **state)
{
    (void)state;
    struct device_fact properties[] = {
        {"name", "NVIDIA H200"},         {"version", "9.0"},          {"units", "132"},
        {"registers_per_unit", "65536"}, {"cache_bytes", "62914560"}, {"local_bytes_per_unit", "233472"},
        {"memory_clock_mhz", "3201"},    {"memory_bus_bits", "6144"}, {"warp_items", "32"}};
    struct device_fact unknown[] = {{"version", "OpenCL 3.0 CUDA, compute capability 8.0"}, {"units", "0"}};
    struct machine_device devices[] = {
        {.id = "cuda:0", .name = "NVIDIA H200", .facts = properties, .fact_count = COUNT_OF(properties)},
        {.id = "opencl:0", .name = "A GPU", .facts = unknown, .fact_count = COUNT_OF(unknown)}};
    struct machine machine = {.cpu = "A CPU",
                              .os = "An OS",
                              .cores = 8,
                              .core_count = 4,
                              .memory_bytes = (uint64_t)3 << 29,
                              .devices = devices,
                              .device_count = 2};
    struct ceiling rates[] = {{.what = "fma-f32", .device = "cuda:0", .device_name = "NVIDIA H200", .rate = 60000},
                              {.what = "fma-f32", .device = "cuda:0", .device_name = "another", .rate = 90000},
                              {.what = "dram-read", .device = "cuda:0", .device_name = "NVIDIA H200", .rate = 3000},
                              {.what = "dram-read", .device = "cuda:0", .device_name = "NVIDIA H200", .rate = 4000}};
    const struct ceiling_list ceilings = {.items = rates, .count = COUNT_OF(rates)};
    static const struct {
        const char *device, *key, *value;
    } rows[] = {
        {"", "cpu", "A CPU"},
        {"", "os", "An OS"},
        {"", "threads", "8"},
        {"", "cores", "4"},
        {"", "memory", "1.5 GiB"},
        {"cuda:0", "name", "NVIDIA H200"},
        {"cuda:0", "warp_items", "32"},
        {"cuda:0", "cache_kb", "61440"},
        {"cuda:0", "local_kb_per_unit", "228"},
        {"cuda:0", "memory_gb_s", "4917"}, /* two transfers of 768 bytes a clock */
        {"cuda:0", "balance", "15.0"},
        {"cuda:0", "architecture", "Hopper"},
        {"cuda:0", "cores_per_unit", "128"},
        {"cuda:0", "cores", "16896"},
        {"cuda:0", "registers_kb", "33792"},
        {"cuda:0", "schedulers", "4"},
        {"cuda:0", "grids", "128"},
        {"opencl:0", "architecture", "Ampere"},
        {"opencl:0", "cores_per_unit", "64"},
        {"opencl:0", "cores", ""}, /* of no units */
        {"opencl:0", "registers_kb", ""},
        {"opencl:0", "memory_gb_s", ""},
        {"opencl:0", "balance", ""},
        {"opencl:0", "cache_kb", ""},
    };
    struct here_fact *facts;
    size_t count;
    struct error error;
    assert_int_equal(machine_facts_make(&machine, &ceilings, &facts, &count, &error), STATUS_OK);
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        assert_string_equal(fact(facts, count, rows[i].device, rows[i].key), rows[i].value);
    free(facts);
    machine.core_count = 0;
    machine.device_count = 0;
    assert_int_equal(machine_facts_make(&machine, NULL, &facts, &count, &error), STATUS_OK);
    assert_int_equal(count, 4);
    assert_string_equal(fact(facts, count, "", "cores"), "");
    free(facts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(of_a_gpu_and_its_host)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
