/* What OpenCL's devices tell of themselves, and what of it is taken: those of NVIDIA, AMD and Intel and processors, as
 * their drivers answer; no device is needed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/opencl/opencl.h"
#include "base/size.h"

#include <cmocka.h> /* last: it has a macro called fail */

struct answer {
    cl_uint question;
    const void *text; /* NULL: the number */
    uint64_t number;
    size_t bytes; /* 0: of a text with its end */
};

static const struct answer *answers;
static const char *platform_name;

static cl_int CL_API_CALL get_device_info(cl_device_id device, cl_device_info question, size_t size, void *value,
                                          size_t *needed)
{
    (void)device;
    for (const struct answer *at = answers; at->question; at++) {
        const size_t bytes = at->bytes ? at->bytes : strlen(at->text) + 1;
        if (at->question != question)
            continue;
        if (needed)
            *needed = bytes;
        if (value && size < bytes)
            return CL_INVALID_VALUE;
        if (value)
            memcpy(value, at->text ? at->text : &at->number, bytes);
        return CL_SUCCESS;
    }
    return CL_INVALID_VALUE;
}

static cl_int CL_API_CALL get_platform_info(cl_platform_id platform, cl_platform_info question, size_t size,
                                            void *value, size_t *needed)
{
    (void)platform, (void)question, (void)needed;
    snprintf(value, size, "%s", platform_name);
    return CL_SUCCESS;
}

static struct device_properties describe(const char *platform, const struct answer *given)
{
    struct device_properties properties = {.units = 0};
    const struct opencl_place place = {NULL, NULL};
    answers = given;
    platform_name = platform;
    cl.GetDeviceInfo = get_device_info;
    cl.GetPlatformInfo = get_platform_info;
    opencl_describe(&place, &properties);
    return properties;
}

#define TEXT(question, text) \
    {                        \
        question, text, 0, 0 \
    }
#define UINT(question, number)                  \
    {                                           \
        question, NULL, number, sizeof(cl_uint) \
    }
#define ULONG(question, number)                  \
    {                                            \
        question, NULL, number, sizeof(cl_ulong) \
    }

#define PLAIN                                                                                                    \
    ULONG(CL_DEVICE_TYPE, CL_DEVICE_TYPE_GPU), TEXT(CL_DEVICE_VENDOR, "Vendor"), TEXT(CL_DRIVER_VERSION, "5.6"), \
        ULONG(CL_DEVICE_MAX_WORK_GROUP_SIZE, 1024), UINT(CL_DEVICE_MAX_COMPUTE_UNITS, 132),                      \
        UINT(CL_DEVICE_MAX_CLOCK_FREQUENCY, 1980), ULONG(CL_DEVICE_GLOBAL_MEM_SIZE, (uint64_t)1 << 37),          \
        ULONG(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, 77), ULONG(CL_DEVICE_LOCAL_MEM_SIZE, 49152),                      \
        ULONG(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, 65536)

/* Its second extension's questions; its warp is asked by its own question, its cache is not OpenCL's figure. */
static void test_nvidia(void **state)
{
    (void)state;
    static const struct answer given[] = {
        PLAIN,
        TEXT(CL_DEVICE_NAME, "NVIDIA H200"),
        TEXT(CL_DEVICE_VERSION, "OpenCL 3.0 CUDA"),
        TEXT(CL_DEVICE_EXTENSIONS, "cl_khr_fp64 cl_nv_device_attribute_query cl_nv_copy_opts"),
        ULONG(CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, 64),
        UINT(CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV, 9),
        UINT(CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV, 1),
        UINT(CL_DEVICE_REGISTERS_PER_BLOCK_NV, 65536),
        UINT(CL_DEVICE_WARP_SIZE_NV, 32),
        {0},
    };
    const struct device_properties p = describe("NVIDIA CUDA", given);
    assert_string_equal(p.name, "NVIDIA H200");
    assert_string_equal(p.vendor, "Vendor");
    assert_string_equal(p.driver, "NVIDIA CUDA 5.6");
    assert_string_equal(p.version, "OpenCL 3.0 CUDA, compute capability 9.1");
    assert_int_equal(opencl_nvidia_compute(NULL), 91);
    assert_int_equal(p.warp_items, 32);
    assert_int_equal(p.registers_per_group, 65536);
    assert_int_equal(p.units, 132);
    assert_int_equal(p.clock_mhz, 1980);
    assert_int_equal(p.group_items, 1024);
    assert_int_equal(p.memory_bytes, (uint64_t)1 << 37);
    assert_int_equal(p.cache_bytes, 0);
    assert_int_equal(p.local_bytes_per_group, 49152);
    assert_int_equal(p.local_bytes_per_group_limit, 49152);
    assert_int_equal(p.constant_bytes, 65536);
    assert_false(p.is_cpu);
}

/* Without the extension none of its questions is asked, whatever the driver would answer. */
static void test_extensions_are_whole_words(void **state)
{
    (void)state;
    static const char *const extensions[] = {"cl_nv_device_attribute_query_2 cl_amd_device_attribute_query_2",
                                             "xcl_nv_device_attribute_query", ""};
    for (size_t i = 0; i < COUNT_OF(extensions); i++) {
        const struct answer given[] = {
            PLAIN,
            TEXT(CL_DEVICE_NAME, "  a device"), /* blanks before a name are left out */
            TEXT(CL_DEVICE_VERSION, "OpenCL 1.2"),
            TEXT(CL_DEVICE_EXTENSIONS, extensions[i]),
            ULONG(CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, 64),
            UINT(CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV, 9),
            UINT(CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV, 0),
            TEXT(0x4038, "a board"),
            UINT(0x4043, 64),
            {0},
        };
        const struct device_properties p = describe("a platform", given);
        assert_string_equal(p.name, "a device");
        assert_string_equal(p.version, "OpenCL 1.2");
        assert_int_equal(p.warp_items, 0); /* OpenCL 1.2 asks compiled kernels alone */
        assert_int_equal(p.cache_bytes, 77);
        assert_int_equal(opencl_nvidia_compute(NULL), 0);
    }
}

static void test_amd(void **state)
{
    (void)state;
    static const struct answer given[] = {
        PLAIN,
        TEXT(CL_DEVICE_NAME, "gfx90a"),
        TEXT(CL_DEVICE_VERSION, "OpenCL 2.0 AMD-APP"),
        TEXT(CL_DEVICE_EXTENSIONS, "cl_amd_device_attribute_query"),
        ULONG(CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, 16),
        TEXT(0x4038, "AMD Instinct MI250X"),
        UINT(0x4043, 64),
        {0},
    };
    const struct device_properties p = describe("AMD", given);
    assert_string_equal(p.name, "AMD Instinct MI250X");
    assert_int_equal(p.warp_items, 64);
}

/* From OpenCL 3.0 on the device has a multiple of its own; sizes are taken where there are three of them. */
static void test_groups(void **state)
{
    (void)state;
    static const size_t sizes[3] = {1024, 512, 64};
    static const struct {
        const char *version;
        uint32_t rank, warp, sizes;
    } rows[] = {{"OpenCL 3.0 ", 3, 16, 1}, {"OpenCL 2.1 ", 3, 0, 1}, {"OpenCL 3.0 ", 2, 16, 0}, {"OpenCL", 3, 0, 1}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct answer given[] = {
            PLAIN,
            TEXT(CL_DEVICE_NAME, "Arc"),
            TEXT(CL_DEVICE_VERSION, rows[i].version),
            TEXT(CL_DEVICE_EXTENSIONS, ""),
            UINT(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, rows[i].rank),
            {CL_DEVICE_MAX_WORK_ITEM_SIZES, sizes, 0, sizeof sizes},
            ULONG(CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, 16),
            {0},
        };
        const struct device_properties p = describe("Intel", given);
        assert_int_equal(p.warp_items, rows[i].warp);
        for (size_t k = 0; k < COUNT_OF(sizes); k++)
            assert_int_equal(p.group_size[k], rows[i].sizes ? sizes[k] : 0);
    }
}

/* Flags of a device: with or without doubles, subnormal numbers, images, memory of its own. */
static void test_flags(void **state)
{
    (void)state;
    for (unsigned flags = 0; flags < 16; flags++) {
        const struct answer given[] = {
            PLAIN,
            ULONG(CL_DEVICE_DOUBLE_FP_CONFIG, flags & 1 ? CL_FP_FMA : 0),
            ULONG(CL_DEVICE_SINGLE_FP_CONFIG, CL_FP_INF_NAN | (flags & 2 ? CL_FP_DENORM : 0)),
            UINT(CL_DEVICE_IMAGE_SUPPORT, flags & 4 ? CL_TRUE : CL_FALSE),
            UINT(CL_DEVICE_HOST_UNIFIED_MEMORY, flags & 8 ? CL_TRUE : CL_FALSE),
            {0},
        };
        const struct device_properties p = describe("a platform", given);
        assert_int_equal(p.has_double, (flags & 1) != 0);
        assert_int_equal(p.flushes_subnormals, (flags & 2) == 0);
        assert_int_equal(p.has_images, (flags & 4) != 0);
        assert_int_equal(p.unified_memory, (flags & 8) != 0);
    }
}

/* The runtime, where the device is the processor; a driver's own name otherwise. */
static void test_names_of_processors(void **state)
{
    (void)state;
    static const struct {
        const char *platform, *name;
        uint64_t type;
        const char *begin;
    } rows[] = {
        {"Portable Computing Language", "pthread-znver3-AMD EPYC", CL_DEVICE_TYPE_CPU, "PoCL on "},
        {"Portable Computing Language", "cpu-znver3-AMD EPYC", CL_DEVICE_TYPE_CPU, "PoCL on "},
        {"Portable Computing Language", "basic-znver3", CL_DEVICE_TYPE_CPU, "basic-znver3"},
        {"Portable Computing Language", "pthread-of a GPU", CL_DEVICE_TYPE_GPU, "pthread-of a GPU"},
        {"Intel(R) OpenCL", "Intel(R) Xeon(R)", CL_DEVICE_TYPE_CPU, "Intel OpenCL on "},
        {"Another OpenCL", "cpu-x", CL_DEVICE_TYPE_CPU, "cpu-x"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct answer given[] = {ULONG(CL_DEVICE_TYPE, rows[i].type), TEXT(CL_DEVICE_NAME, rows[i].name), {0}};
        const struct device_properties p = describe(rows[i].platform, given);
        assert_int_equal(strncmp(p.name, rows[i].begin, strlen(rows[i].begin)), 0);
        assert_int_equal(p.is_cpu, rows[i].type == CL_DEVICE_TYPE_CPU);
    }
}

/* NVIDIA's own questions are the second choice: device and function are one number. Nothing is asked without an
 * extension. No folder of /sys has these places, so there is no rate. */
static void test_places_on_the_bus(void **state)
{
    (void)state;
    static const cl_uint place[4] = {0xfffe, 0xfd, 0x1e, 6};
#define PLACES                                                                                             \
    UINT(0x4008, 0xfe), UINT(0x4009, 31 << 3 | 7), UINT(0x400A, 0xffff), {0x410F, place, 0, sizeof place}, \
    {                                                                                                      \
        0                                                                                                  \
    }
    static const struct answer both[] = {TEXT(CL_DEVICE_EXTENSIONS, "cl_khr_pci_bus_info cl_nv_device_attribute_query"),
                                         PLACES};
    static const struct answer own[] = {TEXT(CL_DEVICE_EXTENSIONS, "cl_nv_device_attribute_query"), PLACES};
    static const struct answer none[] = {TEXT(CL_DEVICE_EXTENSIONS, "cl_khr_fp64"), PLACES};
    static const struct answer no_slot[] = {
        TEXT(CL_DEVICE_EXTENSIONS, "cl_khr_pci_bus_info cl_nv_device_attribute_query"), UINT(0x4008, 0xfe), {0}};
    static const struct {
        const struct answer *given;
        const char *bus;
    } rows[] = {{both, "PCI fffe:fd:1e.6"}, {own, "PCI ffff:fe:1f.7"}, {none, ""}, {no_slot, ""}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct device_properties p = describe("a platform", rows[i].given);
        assert_string_equal(p.bus, rows[i].bus);
        assert_true(p.bus_bytes_per_second == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nvidia),
        cmocka_unit_test(test_extensions_are_whole_words),
        cmocka_unit_test(test_amd),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_flags),
        cmocka_unit_test(test_names_of_processors),
        cmocka_unit_test(test_places_on_the_bus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
