/* What an explanation may be for, by the texts that name it, and the rates that follow from published figures. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "architectures/allocation.h"
#include "base/size.h"
#include "explain/target.h"

#include <cmocka.h>
#undef fail

static bool near(double value, double wanted)
{
    return fabs(value - wanted) <= 0.001 * wanted;
}

static void names(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name, *gpu; /* gpu NULL: none of the tables */
        int compute;
    } rows[] = {
        {"sm_90", "sm_90", "H200", 90},
        {"SM_90A", NULL, NULL, 0},
        {"sm_90a", "sm_90", "H200", 90},
        {"sm_100f", "sm_100", "B200", 100},
        {"compute_35", "sm_35", "Tesla K40", 35},
        {"sm35", "sm_35", "Tesla K40", 35},
        {"9.0", "sm_90", "H200", 90},
        {"2.0", "sm_20", "Tesla C2050", 20},
        {"Tesla K40", "Tesla K40", "Tesla K40", 35},
        {"k40", "Tesla K40", "Tesla K40", 35},
        {"H200", "H200", "H200", 90},
        {"NVIDIA H200", "H200", "H200", 90},
        {"rtx 4090", "GeForce RTX 4090", "GeForce RTX 4090", 89},
        {"Jetson TK1", "Jetson TK1", "Jetson TK1", 32},
        {"TK1", "Jetson TK1", "Jetson TK1", 32},
        {"sm_9", NULL, NULL, 0},
        {"sm_90b", NULL, NULL, 0},
        {"sm_90aa", NULL, NULL, 0},
        {"sm_90 ", NULL, NULL, 0},
        {"sm_44", NULL, NULL, 0},
        {"K4", NULL, NULL, 0},
        {"", NULL, NULL, 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct explain_target target;
        struct error error = {""};
        const enum status status = explain_target_parse(rows[i].text, &target, &error);
        if (status != (rows[i].name ? STATUS_OK : STATUS_INVALID))
            print_error("%s: %s\n", rows[i].text, error.text);
        assert_int_equal(status, rows[i].name ? STATUS_OK : STATUS_INVALID);
        if (!rows[i].name)
            continue;
        assert_string_equal(target.name, rows[i].name);
        assert_string_equal(target.gpu->name, rows[i].gpu);
        assert_int_equal(target.compute, rows[i].compute);
        assert_int_equal(target.kind, BACKEND_CUDA);
        assert_int_equal(compute_of(target.capability->version), rows[i].compute);
    }
}

static void refusals(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"sm_44", "sm_44: there is no compute capability 4.4 in the tables; there are 1.0 … 12.1"},
        {"Tesla",
         "'Tesla' is part of several names: 'Tesla C1060', 'Tesla C2050', 'Tesla K20', 'Tesla K40', 'Tesla K80', "
         "'Tesla M40', 'Tesla P100-PCIE', 'Tesla P100-SXM2', 'Tesla V100-SXM2', 'Tesla T4'"},
        {"Telsa K40", "'Telsa K40' is not a known architecture or GPU; did you mean 'Tesla K40'?"},
        {"Zen 33", "'Zen 33' is not a known architecture or GPU; did you mean 'Zen 3'?"},
        {"nothing", "'nothing' is not a known architecture or GPU; use sm_90, 9.0, \"Tesla K40\", cuda:0 or this-cpu "
                    "(uskor architectures lists them)"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct explain_target target;
        struct error error = {""};
        assert_int_equal(explain_target_parse(rows[i].text, &target, &error), STATUS_INVALID);
        assert_string_equal(error.text, rows[i].message);
    }
}

/* An H200's as `uskor ceilings` measured them, but for arithmetic; an H100 has its chip and another memory; a V100's 80
 * multiprocessors at 1.53 GHz read 128 bytes a clock each; a K40's 15 at 0.875 GHz 256; a C2050's 14 at 1.15 GHz 64; a
 * C1060's 30 at 1.296 GHz 32. */
static void rates(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double clock, fp32, fp64, tensor, local, l2, read, copy;
        int units;
    } rows[] = {
        {"H200", 1.98, 67000, 34000, 989000, 33145, 8463, 4624, 4289, 132},
        {"H100 80GB HBM3", 1.98, 67000, 34000, 989000, 33145, 8463, 3350, 3350, 132},
        {"V100-SXM2", 1.53, 15700, 7800, 0, 128 * 80 * 1.53, 0, 900, 900, 80},
        {"K40", 0.875, 5040, 1680, 0, 256 * 15 * 0.875, 0, 288, 288, 15},
        {"C2050", 1.15, 1030, 515, 0, 64 * 14 * 1.15, 0, 144, 144, 14},
        {"C1060", 1.296, 933, 78, 0, 32 * 30 * 1.296, 0, 102, 102, 30},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct explain_target target;
        struct error error = {""};
        assert_int_equal(explain_target_parse(rows[i].text, &target, &error), STATUS_OK);
        const double *ceilings = target.ceilings;
        assert_true(near(ceilings[EXPLAIN_CLOCK], rows[i].clock) && near(ceilings[EXPLAIN_FMA_F32], rows[i].fp32));
        assert_true(near(ceilings[EXPLAIN_FMA_F64], rows[i].fp64) &&
                    near(ceilings[EXPLAIN_TENSOR_BF16], rows[i].tensor));
        assert_true(near(ceilings[EXPLAIN_LOCAL_READ], rows[i].local) && near(ceilings[EXPLAIN_L2_READ], rows[i].l2));
        assert_true(near(ceilings[EXPLAIN_DRAM_READ], rows[i].read) && near(ceilings[EXPLAIN_DRAM_COPY], rows[i].copy));
        assert_int_equal(target.units, rows[i].units);
    }
}

/* What a rung may ask of a GPU that is not here (CUDA C++ Programming Guide, technical specifications). */
static void properties(void **state)
{
    (void)state;
    struct explain_target target;
    struct error error = {""};
    assert_int_equal(explain_target_parse("sm_90", &target, &error), STATUS_OK);
    const struct device_properties *of = &target.properties;
    assert_int_equal(of->local_bytes_per_group, 48 << 10); /* more is asked for */
    assert_int_equal(of->local_bytes_per_group_limit, 227 << 10);
    assert_int_equal(of->local_bytes_per_unit, 228 << 10);
    assert_int_equal(of->registers_per_unit, 64 << 10);
    assert_int_equal(of->registers_per_group, 64 << 10);
    assert_int_equal(of->warp_items, 32);
    assert_int_equal(of->group_items, 1024);
    assert_int_equal(of->group_size[0], 1024);
    assert_int_equal(of->group_size[2], 64);
    assert_int_equal(of->items_per_unit, 2048);
    assert_int_equal(of->units, 132);
    assert_true(of->has_double && of->has_images);
    assert_string_equal(of->vendor, "NVIDIA");
    assert_string_equal(of->version, "9.0");
    assert_int_equal(explain_target_parse("1.2", &target, &error), STATUS_OK);
    assert_false(of->has_double);
    assert_int_equal(of->local_bytes_per_group, 16 << 10);
    assert_int_equal(of->local_bytes_per_group_limit, 16 << 10);
    assert_int_equal(of->group_items, 512);
    assert_int_equal(explain_target_parse("1.3", &target, &error), STATUS_OK);
    assert_true(of->has_double);
    assert_int_equal(explain_target_parse("Zen 3", &target, &error), STATUS_OK);
    assert_int_equal(target.kind, BACKEND_CPU);
    assert_string_equal(target.name, "Zen 3");
    assert_string_equal(of->name, "Zen 3");
    assert_ptr_equal(target.caches, cpu_caches_by_name("Zen 3"));
}

/* A device has its own units, and its GPU's published rates; OpenCL's has none but by its clock. */
static void of_devices(void **state)
{
    (void)state;
    static const struct backend cuda = {.name = "cuda", .kind = BACKEND_CUDA},
                                opencl = {.name = "opencl", .kind = BACKEND_OPENCL};
    struct device device = {.backend = &cuda,
                            .id = "cuda:1",
                            .properties = {.name = "NVIDIA H200", .version = "9.0", .units = 66, .clock_mhz = 1000}};
    struct explain_target target;
    explain_target_of_device(&device, &target);
    assert_string_equal(target.name, "cuda:1 (NVIDIA H200)");
    assert_string_equal(target.device, "cuda:1");
    assert_int_equal(target.units, 66);
    assert_int_equal(target.compute, 90);
    assert_string_equal(target.gpu->name, "H200");
    assert_true(near(target.ceilings[EXPLAIN_DRAM_READ], 4624));
    strcpy(device.properties.name, "A GPU of no table");
    explain_target_of_device(&device, &target);
    assert_null(target.gpu);
    assert_true(near(target.ceilings[EXPLAIN_CLOCK], 1));
    assert_true(near(target.ceilings[EXPLAIN_FMA_F32], 2 * 128 * 66));
    assert_true(near(target.ceilings[EXPLAIN_FMA_F64], 2 * 64 * 66));
    assert_true(near(target.ceilings[EXPLAIN_LOCAL_READ], 128 * 66));
    assert_true(target.ceilings[EXPLAIN_DRAM_READ] == 0);
    explain_target_measured(&target, EXPLAIN_DRAM_READ, 100);
    assert_true(target.ceilings[EXPLAIN_DRAM_READ] == 100 && target.measured[EXPLAIN_DRAM_READ]);
    assert_false(target.measured[EXPLAIN_DRAM_COPY]);
    explain_target_measured(&target, EXPLAIN_DRAM_READ, 0);
    assert_false(target.measured[EXPLAIN_DRAM_READ]);
    device.backend = &opencl;
    explain_target_of_device(&device, &target);
    assert_int_equal(target.compute, 0);
    assert_int_equal(target.kind, BACKEND_OPENCL);
    assert_true(target.ceilings[EXPLAIN_FMA_F32] == 0 && target.ceilings[EXPLAIN_LOCAL_READ] == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names), cmocka_unit_test(refusals), cmocka_unit_test(rates),
                                       cmocka_unit_test(properties), cmocka_unit_test(of_devices)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
