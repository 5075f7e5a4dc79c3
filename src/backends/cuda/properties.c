/* A CUDA device's properties: from the driver, the kernel module and the PCI bus. */
#include <stdio.h>
#include <string.h>

#include "backends/cuda/device.h"
#include "backends/cuda/nvrtc.h"
#include "backends/pci_bus.h"
#include "base/size.h"

/* One field is one attribute, divided by the unit that the field is in. */
struct row {
    CUdevice_attribute attribute;
    size_t offset, bytes;
    int divisor;
};

#define ROW(field, attribute, divisor)                                              \
    {                                                                               \
        CU_DEVICE_ATTRIBUTE_##attribute, offsetof(struct device_properties, field), \
            sizeof((struct device_properties *)0)->field, divisor                   \
    }

static const struct row rows[] = {
    ROW(local_bytes_per_group, MAX_SHARED_MEMORY_PER_BLOCK, 1),
    ROW(local_bytes_per_group_limit, MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 1),
    ROW(local_bytes_per_unit, MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, 1),
    ROW(constant_bytes, TOTAL_CONSTANT_MEMORY, 1),
    ROW(cache_bytes, L2_CACHE_SIZE, 1),
    ROW(registers_per_group, MAX_REGISTERS_PER_BLOCK, 1),
    ROW(registers_per_unit, MAX_REGISTERS_PER_MULTIPROCESSOR, 1),
    ROW(warp_items, WARP_SIZE, 1),
    ROW(group_items, MAX_THREADS_PER_BLOCK, 1),
    ROW(group_size[0], MAX_BLOCK_DIM_X, 1),
    ROW(group_size[1], MAX_BLOCK_DIM_Y, 1),
    ROW(group_size[2], MAX_BLOCK_DIM_Z, 1),
    ROW(grid_groups[0], MAX_GRID_DIM_X, 1),
    ROW(grid_groups[2], MAX_GRID_DIM_Z, 1),
    ROW(units, MULTIPROCESSOR_COUNT, 1),
    ROW(items_per_unit, MAX_THREADS_PER_MULTIPROCESSOR, 1),
    ROW(clock_mhz, CLOCK_RATE, 1000),
    ROW(memory_clock_mhz, MEMORY_CLOCK_RATE, 1000),
    ROW(memory_bus_bits, GLOBAL_MEMORY_BUS_WIDTH, 1),
};

int cuda_attribute(const struct cuda_device *device, CUdevice_attribute which)
{
    int value = 0;
    return cuda.DeviceGetAttribute(&value, which, device->handle) == CUDA_SUCCESS && value > 0 ? value : 0;
}

static void read_rows(struct cuda_device *device)
{
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        int value = cuda_attribute(device, rows[i].attribute) / rows[i].divisor;
        char *field = (char *)&device->base.properties + rows[i].offset;
        if (rows[i].bytes == sizeof(uint32_t))
            memcpy(field, &(uint32_t){(uint32_t)value}, sizeof(uint32_t));
        else
            memcpy(field, &(uint64_t){(uint64_t)value}, sizeof(uint64_t));
    }
}

/* "NVIDIA 580.65.06, CUDA 13.0, NVRTC 13.0": all three decide what code a rung becomes. */
static void describe_driver(char *text, size_t size)
{
    char module[64] = "", compiler[32] = "none";
    FILE *file = fopen("/sys/module/nvidia/version", "re");
    if (file) {
        if (fgets(module, sizeof module, file))
            module[strcspn(module, " \n")] = 0;
        fclose(file);
    }
    const struct nvrtc_library *library;
    if (nvrtc_load(&library, NULL) == STATUS_OK)
        snprintf(compiler, sizeof compiler, "%d.%d", library->major, library->minor);
    int version = cuda_driver_version();
    snprintf(text, size, "NVIDIA %s%sCUDA %d.%d, NVRTC %s", module, *module ? ", " : "", version / 1000,
             version % 1000 / 10, compiler);
}

enum status cuda_read_properties(struct cuda_device *device, struct error *error)
{
    struct device_properties *properties = &device->base.properties;
    enum status status = cuda_device_check(
        &device->base, cuda.DeviceGetName(properties->name, (int)sizeof properties->name, device->handle), error,
        "asking for the device's name");
    size_t memory = 0;
    if (status == STATUS_OK)
        status = cuda_device_check(&device->base, cuda.DeviceTotalMem(&memory, device->handle), error,
                                   "asking for the size of the device's memory");
    if (status != STATUS_OK)
        return status;
    properties->memory_bytes = memory;
    read_rows(device);
    properties->grid_groups[1] = 0; /* the launch folds y over z */
    device->major = cuda_attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    device->minor = cuda_attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    snprintf(properties->vendor, sizeof properties->vendor, "NVIDIA");
    snprintf(properties->version, sizeof properties->version, "%d.%d", device->major, device->minor);
    describe_driver(properties->driver, sizeof properties->driver);
    char address[PCI_ADDRESS_MAX] = "";
    if (cuda.DeviceGetPCIBusId(address, (int)sizeof address, device->handle) == CUDA_SUCCESS) {
        pci_describe("/sys", address, properties->bus, sizeof properties->bus);
        properties->bus_bytes_per_second = pci_rate("/sys", address);
    }
    properties->has_double = true;
    properties->has_images = true;
    properties->unified_memory = cuda_attribute(device, CU_DEVICE_ATTRIBUTE_INTEGRATED) != 0;
    return STATUS_OK;
}
