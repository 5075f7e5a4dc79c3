#include "lab/ceilings/datasheet.h"

#include <stdlib.h>
#include <string.h>

#include "backends/cpu/cpu.h"
#include "backends/cpu/machine.h"
#include "base/message.h"

#define LOCAL_BANK_BYTES (32 * 4) /* 32 banks of 4 bytes per cycle, since compute capability 2.0 */

static const char opencl_mark[] = "compute capability ";

const struct capability *datasheet_capability(const struct device *device)
{
    const char *version = device->properties.version;
    if (device->backend->kind == BACKEND_OPENCL) {
        version = strstr(version, opencl_mark);
        version = version ? version + sizeof opencl_mark - 1 : "";
    }
    return device->backend->kind == BACKEND_CUDA || device->backend->kind == BACKEND_OPENCL
               ? capability_by_version(version)
               : NULL;
}

static struct datasheet of_arithmetic(const struct device_properties *properties, struct figure units, const char *name)
{
    struct datasheet datasheet = {0};
    if (!figure_is_known(units) || !(units.value > 0) || !properties->units || !properties->clock_mhz)
        return datasheet;
    datasheet.rate = properties->units * units.value * 2 * properties->clock_mhz * 1e-3;
    explain(datasheet.how, sizeof datasheet.how, "%u multiprocessors × %.0f%s %s × 2 × %u MHz", properties->units,
            units.value, figure_mark(units), name, properties->clock_mhz);
    return datasheet;
}

static struct datasheet of_tensor_cores(const struct device_properties *properties)
{
    const struct gpu *gpu = gpu_by_device_name(properties->name);
    struct datasheet datasheet = {0};
    if (!gpu || !(gpu->figures[GPU_TENSOR].value > 0))
        return datasheet;
    datasheet.rate = gpu->figures[GPU_TENSOR].value;
    explain(datasheet.how, sizeof datasheet.how, "%s: %.0f%s TFLOP/s of dense bfloat16, as published", gpu->name,
            datasheet.rate * 1e-3, figure_mark(gpu->figures[GPU_TENSOR]));
    return datasheet;
}

static struct datasheet of_local(const struct device_properties *properties)
{
    struct datasheet datasheet = {.rate = properties->units * LOCAL_BANK_BYTES * properties->clock_mhz * 1e-3};
    if (datasheet.rate > 0)
        explain(datasheet.how, sizeof datasheet.how, "%u multiprocessors × 32 banks × 4 bytes × %u MHz",
                properties->units, properties->clock_mhz);
    return datasheet;
}

static struct datasheet of_memory(const struct device_properties *properties)
{
    struct datasheet datasheet = {.rate = 2e-3 * properties->memory_clock_mhz * properties->memory_bus_bits / 8};
    if (datasheet.rate > 0)
        explain(datasheet.how, sizeof datasheet.how, "2 × %u MHz × %u bits", properties->memory_clock_mhz,
                properties->memory_bus_bits);
    return datasheet;
}

static struct datasheet of_gpu(const struct device *device, enum ceiling_kind kind)
{
    const struct capability *capability = datasheet_capability(device);
    const struct device_properties *properties = &device->properties;
    if (kind >= CEILING_DRAM_READ)
        return of_memory(properties);
    if (kind == CEILING_TENSOR_BF16)
        return of_tensor_cores(properties);
    if (!capability)
        return (struct datasheet){0};
    if (kind == CEILING_FMA_F32)
        return of_arithmetic(properties, capability->figures[CAPABILITY_CORES], "cores");
    if (kind == CEILING_FMA_F64)
        return of_arithmetic(properties, capability->figures[CAPABILITY_FP64], "FP64 units");
    if (kind == CEILING_LOCAL_READ && strcmp(capability->architecture, "Tesla") != 0)
        return of_local(properties);
    return (struct datasheet){0};
}

static const struct cpu_family *this_cpu(void)
{
    char vendor[64], family[16], model[16];
    if (!machine_read_cpuinfo("vendor_id", vendor, sizeof vendor) ||
        !machine_read_cpuinfo("cpu family", family, sizeof family) ||
        !machine_read_cpuinfo("model", model, sizeof model))
        return NULL;
    return cpu_family_find(vendor, atoi(family), atoi(model));
}

static struct datasheet of_cpu(enum ceiling_kind kind, unsigned threads, double clock)
{
    struct datasheet datasheet = {0};
    const struct cpu_family *family = this_cpu();
    if (!family || !(clock > 0))
        return datasheet;
    struct figure figure = {0};
    enum cpu_isa isa = cpu_isa();
    if ((kind == CEILING_FMA_F32 || kind == CEILING_FMA_F64) && (isa == CPU_ISA_AVX512 || isa == CPU_ISA_AVX2))
        figure = family->figures[isa == CPU_ISA_AVX512 ? CPU_FLOATS_AVX512 : CPU_FLOATS_AVX2];
    else if (kind == CEILING_L1_READ)
        figure = family->figures[CPU_READ_BYTES];
    if (!figure_is_known(figure))
        return datasheet;
    double a_cycle = kind == CEILING_FMA_F64 ? figure.value / 2 : figure.value;
    datasheet.rate = a_cycle * threads * clock;
    const char *plural = threads == 1 ? "" : "s";
    if (kind == CEILING_L1_READ)
        explain(datasheet.how, sizeof datasheet.how, "%u core%s of %s × %.0f%s bytes × %.2f GHz (measured)", threads,
                plural, family->name, a_cycle, figure_mark(figure), clock);
    else
        explain(datasheet.how, sizeof datasheet.how, "%u core%s of %s × %.0f%s operations × %.2f GHz (measured)",
                threads, plural, family->name, a_cycle, figure_mark(figure), clock);
    return datasheet;
}

struct datasheet datasheet_of(const struct device *device, enum ceiling_kind kind, unsigned threads, double clock)
{
    if (device->backend->kind == BACKEND_CPU)
        return of_cpu(kind, threads, clock);
    return device->properties.is_cpu ? (struct datasheet){0} : of_gpu(device, kind);
}
