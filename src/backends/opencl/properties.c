/* An OpenCL device's properties, with the vendors' extensions where the device has them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/machine.h"
#include "backends/cuda/device.h"
#include "backends/opencl/opencl.h"
#include "backends/pci_bus.h"
#include "base/size.h"
#include "base/text.h"

/* Extensions, and those of their questions that not every version of the headers names. */
#define NVIDIA_QUESTIONS "cl_nv_device_attribute_query"
#define AMD_QUESTIONS "cl_amd_device_attribute_query"
#define PCI_QUESTION "cl_khr_pci_bus_info"
#define QUESTION_NV_PCI_BUS 0x4008
#define QUESTION_NV_PCI_SLOT 0x4009
#define QUESTION_NV_PCI_DOMAIN 0x400A
#define QUESTION_AMD_BOARD_NAME 0x4038
#define QUESTION_AMD_WAVEFRONT 0x4043
#define QUESTION_KHR_PCI_BUS_INFO 0x410F

static void ask_text(cl_device_id device, cl_device_info question, char *text, size_t size)
{
    char answer[512] = "";
    if (cl.GetDeviceInfo(device, question, sizeof answer - 1, answer, NULL) == CL_SUCCESS && answer[0])
        snprintf(text, size, "%s", answer + strspn(answer, " "));
}

/* False, and 0, where the device does not know the question: drivers answer others' questions with an error. */
static bool ask_uint(cl_device_id device, cl_device_info question, uint32_t *value)
{
    cl_uint answer = 0;
    bool told = cl.GetDeviceInfo(device, question, sizeof answer, &answer, NULL) == CL_SUCCESS;
    *value = told ? answer : 0;
    return told;
}

static uint64_t ask_ulong(cl_device_id device, cl_device_info question)
{
    cl_ulong answer = 0;
    return cl.GetDeviceInfo(device, question, sizeof answer, &answer, NULL) == CL_SUCCESS ? answer : 0;
}

static size_t ask_size(cl_device_id device, cl_device_info question)
{
    size_t answer = 0;
    return cl.GetDeviceInfo(device, question, sizeof answer, &answer, NULL) == CL_SUCCESS ? answer : 0;
}

static bool ask_bool(cl_device_id device, cl_device_info question)
{
    cl_bool answer = CL_FALSE;
    return cl.GetDeviceInfo(device, question, sizeof answer, &answer, NULL) == CL_SUCCESS && answer;
}

/* An extension's questions are asked where it is: to other drivers they are errors, which checkers of calls report. */
static bool has_extension(cl_device_id device, const char *name)
{
    size_t bytes = 0;
    if (cl.GetDeviceInfo(device, CL_DEVICE_EXTENSIONS, 0, NULL, &bytes) != CL_SUCCESS)
        return false;
    char *names = calloc(bytes + 1, 1), *rest = NULL;
    bool found = false;
    if (names && cl.GetDeviceInfo(device, CL_DEVICE_EXTENSIONS, bytes, names, NULL) == CL_SUCCESS)
        for (char *word = strtok_r(names, " ", &rest); word && !found; word = strtok_r(NULL, " ", &rest))
            found = strcmp(word, name) == 0;
    free(names);
    return found;
}

/* A runtime that makes a device of the host's CPU names it by its compiler ("pthread-znver3-AMD EPYC") or by the CPU
 * alone: people know the runtime. */
static void name_runtime(const char *platform, struct device_properties *p)
{
    static const struct {
        const char *platform, *begin, *runtime;
    } runtimes[] = {
        {"Portable Computing Language", "pthread-", "PoCL"},
        {"Portable Computing Language", "cpu-", "PoCL"},
        {"Intel(R) OpenCL", "", "Intel OpenCL"},
    };
    struct device_properties cpu = {.is_cpu = true};
    for (size_t i = 0; p->is_cpu && i < COUNT_OF(runtimes); i++)
        if (strncmp(platform, runtimes[i].platform, strlen(runtimes[i].platform)) == 0 &&
            strncmp(p->name, runtimes[i].begin, strlen(runtimes[i].begin)) == 0) {
            machine_describe_bare(&cpu);
            snprintf(p->name, sizeof p->name, "%s on %.100s", runtimes[i].runtime, cpu.name);
            return;
        }
}

static void describe_names(const struct opencl_place *place, struct device_properties *p)
{
    char platform[64] = "", driver[64] = "";
    ask_text(place->device, CL_DEVICE_NAME, p->name, sizeof p->name);
    if (has_extension(place->device, AMD_QUESTIONS))
        ask_text(place->device, QUESTION_AMD_BOARD_NAME, p->name, sizeof p->name);
    ask_text(place->device, CL_DEVICE_VENDOR, p->vendor, sizeof p->vendor);
    ask_text(place->device, CL_DRIVER_VERSION, driver, sizeof driver);
    cl.GetPlatformInfo(place->platform, CL_PLATFORM_NAME, sizeof platform - 1, platform, NULL);
    snprintf(p->driver, sizeof p->driver, "%s %s", platform, driver);
    name_runtime(platform, p);
    ask_text(place->device, CL_DEVICE_VERSION, p->version, sizeof p->version);
}

static void describe_groups(cl_device_id device, struct device_properties *p)
{
    size_t sizes[3] = {0, 0, 0};
    cl_uint rank = 0;
    p->group_items = (uint32_t)ask_size(device, CL_DEVICE_MAX_WORK_GROUP_SIZE);
    if (ask_uint(device, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, &rank) && rank == 3)
        cl.GetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sizes, sizes, NULL);
    for (int i = 0; i < 3; i++)
        p->group_size[i] = (uint32_t)sizes[i];
    /* The device's own multiple is asked of OpenCL 3.0; before, only a compiled kernel could be asked. */
    int version = 0;
    if (sscanf(p->version, "OpenCL %d", &version) == 1 && version >= 3)
        p->warp_items = (uint32_t)ask_size(device, CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE);
    if (p->warp_items == 0 && has_extension(device, AMD_QUESTIONS))
        ask_uint(device, QUESTION_AMD_WAVEFRONT, &p->warp_items);
    ask_uint(device, CL_DEVICE_MAX_COMPUTE_UNITS, &p->units);
    ask_uint(device, CL_DEVICE_MAX_CLOCK_FREQUENCY, &p->clock_mhz);
}

static void describe_memory(cl_device_id device, struct device_properties *p)
{
    p->memory_bytes = ask_ulong(device, CL_DEVICE_GLOBAL_MEM_SIZE);
    p->cache_bytes = ask_ulong(device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE);
    p->local_bytes_per_group = ask_ulong(device, CL_DEVICE_LOCAL_MEM_SIZE);
    p->local_bytes_per_group_limit = p->local_bytes_per_group;
    p->constant_bytes = ask_ulong(device, CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE);
    p->has_double = ask_ulong(device, CL_DEVICE_DOUBLE_FP_CONFIG) != 0;
    p->flushes_subnormals = (ask_ulong(device, CL_DEVICE_SINGLE_FP_CONFIG) & CL_FP_DENORM) == 0;
    p->has_images = ask_bool(device, CL_DEVICE_IMAGE_SUPPORT);
    p->unified_memory = ask_bool(device, CL_DEVICE_HOST_UNIFIED_MEMORY);
}

/* "0000:1b:00.0"; empty where the device is on no bus, or does not report it. */
static void ask_address(cl_device_id device, char *text, size_t size)
{
    cl_uint address[4] = {0}; /* domain, bus, device, function */
    text[0] = 0;
    if (!has_extension(device, PCI_QUESTION) ||
        cl.GetDeviceInfo(device, QUESTION_KHR_PCI_BUS_INFO, sizeof address, address, NULL) != CL_SUCCESS) {
        cl_uint slot = 0; /* device and function in one */
        if (!has_extension(device, NVIDIA_QUESTIONS) || !ask_uint(device, QUESTION_NV_PCI_BUS, &address[1]) ||
            !ask_uint(device, QUESTION_NV_PCI_SLOT, &slot))
            return;
        ask_uint(device, QUESTION_NV_PCI_DOMAIN, &address[0]);
        address[2] = slot >> 3;
        address[3] = slot & 7;
    }
    snprintf(text, size, "%04x:%02x:%02x.%x", address[0], address[1], address[2], address[3]);
}

/* NVIDIA's OpenCL leaves out half the table, and gives the sum of its first-level caches as the cache; its CUDA driver,
 * which OpenCL runs on, knows. */
static void complete_from_cuda(const char *address, struct device_properties *p)
{
    int count = 0;
    p->cache_bytes = 0;
    if (cuda_probe(&count, NULL) != STATUS_OK)
        return;
    for (int i = 0; i < count; i++) {
        struct cuda_device twin = {.base.index = i};
        char other[PCI_ADDRESS_MAX] = "";
        if (cuda.DeviceGet(&twin.handle, i) != CUDA_SUCCESS ||
            cuda.DeviceGetPCIBusId(other, (int)sizeof other, twin.handle) != CUDA_SUCCESS ||
            strcasecmp(other, address) != 0 || cuda_read_properties(&twin, NULL) != STATUS_OK)
            continue;
        const struct device_properties *q = &twin.base.properties;
        p->cache_bytes = q->cache_bytes;
        p->local_bytes_per_unit = q->local_bytes_per_unit;
        p->registers_per_unit = q->registers_per_unit;
        p->items_per_unit = q->items_per_unit;
        p->memory_clock_mhz = q->memory_clock_mhz;
        p->memory_bus_bits = q->memory_bus_bits;
    }
}

int opencl_nvidia_compute(cl_device_id device)
{
    uint32_t major, minor;
    bool told = has_extension(device, NVIDIA_QUESTIONS) &&
                ask_uint(device, CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV, &major) &&
                ask_uint(device, CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV, &minor);
    return told ? (int)(10 * major + minor) : 0;
}

static void describe_nvidia(cl_device_id device, const char *address, struct device_properties *p)
{
    uint32_t warp;
    int compute = opencl_nvidia_compute(device);
    if (compute == 0)
        return;
    text_append(p->version, sizeof p->version, ", compute capability %d.%d", compute / 10, compute % 10);
    ask_uint(device, CL_DEVICE_REGISTERS_PER_BLOCK_NV, &p->registers_per_group);
    if (ask_uint(device, CL_DEVICE_WARP_SIZE_NV, &warp) && warp)
        p->warp_items = warp;
    complete_from_cuda(address, p);
}

void opencl_describe(const struct opencl_place *place, struct device_properties *properties)
{
    cl_device_type type = 0;
    cl.GetDeviceInfo(place->device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    properties->is_cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
    describe_names(place, properties);
    describe_groups(place->device, properties);
    describe_memory(place->device, properties);
    char address[PCI_ADDRESS_MAX];
    ask_address(place->device, address, sizeof address);
    if (address[0]) {
        pci_describe("/sys", address, properties->bus, sizeof properties->bus);
        properties->bus_bytes_per_second = pci_rate("/sys", address);
    }
    describe_nvidia(place->device, address, properties);
}
