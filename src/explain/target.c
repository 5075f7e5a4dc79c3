#include "explain/target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "architectures/allocation.h"
#include "base/size.h"
#include "base/text.h"

/* Bytes per clock of one multiprocessor's local memory: banks times bank width. 1.x and 2.x need two clocks for that
 * (guide 4.2, F.3.3 and F.4.3; guide 11, K.3.3 on). */
static int local_bytes_per_clock(int compute)
{
    return compute < 20 ? 16 * 4 / 2 : compute < 30 ? 32 * 4 / 2 : compute < 50 ? 32 * 8 : 32 * 4;
}

static double figure_of(const struct gpu *gpu, enum gpu_column column)
{
    return gpu && figure_is_known(gpu->figures[column]) ? gpu->figures[column].value : 0;
}

static double capability_figure(const struct explain_target *target, enum capability_column column)
{
    const struct capability *row = target->capability;
    return row && figure_is_known(row->figures[column]) ? row->figures[column].value : 0;
}

/* What 'uskor ceilings' measured on GPUs whose datasheets say less: results/h200/explain-ceilings.txt. An H100 has the
 * same chip, so L2 has the same rate; its memory has another. 0: as published. */
static const struct {
    const char *gpu;
    double local_read, l2_read, dram_read, dram_copy;
} measured_gpus[] = {
    {"H200", 33145, 8463, 4624, 4289},
    {"H100 80GB HBM3", 33145, 8463, 0, 0},
};

static void take_measured(const struct gpu *gpu, double ceilings[EXPLAIN_CEILINGS])
{
    for (size_t i = 0; gpu && i < COUNT_OF(measured_gpus); i++) {
        if (strcmp(measured_gpus[i].gpu, gpu->name) != 0)
            continue;
        ceilings[EXPLAIN_LOCAL_READ] = measured_gpus[i].local_read;
        ceilings[EXPLAIN_L2_READ] = measured_gpus[i].l2_read;
        if (measured_gpus[i].dram_read > 0) {
            ceilings[EXPLAIN_DRAM_READ] = measured_gpus[i].dram_read;
            ceilings[EXPLAIN_DRAM_COPY] = measured_gpus[i].dram_copy;
        }
    }
}

/* Published figures, and figures derived from them. */
static void publish(struct explain_target *target)
{
    const struct gpu *gpu = target->gpu;
    double *ceilings = target->ceilings;
    if (target->units == 0)
        target->units = (int)figure_of(gpu, GPU_UNITS);
    double clock = figure_of(gpu, GPU_CLOCK) / 1e3;
    if (clock == 0)
        clock = target->properties.clock_mhz / 1e3;
    ceilings[EXPLAIN_CLOCK] = clock;
    ceilings[EXPLAIN_FMA_F32] = figure_of(gpu, GPU_FP32);
    if (ceilings[EXPLAIN_FMA_F32] == 0)
        ceilings[EXPLAIN_FMA_F32] = 2 * capability_figure(target, CAPABILITY_CORES) * target->units * clock;
    ceilings[EXPLAIN_FMA_F64] = figure_of(gpu, GPU_FP64);
    if (ceilings[EXPLAIN_FMA_F64] == 0)
        ceilings[EXPLAIN_FMA_F64] = 2 * capability_figure(target, CAPABILITY_FP64) * target->units * clock;
    ceilings[EXPLAIN_TENSOR_BF16] = figure_of(gpu, GPU_TENSOR);
    ceilings[EXPLAIN_LOCAL_READ] = target->compute ? local_bytes_per_clock(target->compute) * target->units * clock : 0;
    ceilings[EXPLAIN_DRAM_READ] = ceilings[EXPLAIN_DRAM_COPY] = figure_of(gpu, GPU_BANDWIDTH);
    take_measured(gpu, ceilings);
}

/* Properties of a device that is absent here, for the recorder and for a rung's requirements. */
static void imagine(struct explain_target *target)
{
    const struct allocation *allocation = allocation_of(target->compute);
    struct device_properties *properties = &target->properties;
    unsigned items = (unsigned)capability_figure(target, CAPABILITY_GROUP_ITEMS);
    *properties = (struct device_properties){
        .local_bytes_per_group = (uint64_t)(capability_figure(target, CAPABILITY_LOCAL_GROUP) * 1024),
        .local_bytes_per_group_limit = (uint64_t)(capability_figure(target, CAPABILITY_LOCAL_GROUP) * 1024),
        .local_bytes_per_unit = (uint64_t)(capability_figure(target, CAPABILITY_LOCAL) * 1024),
        .registers_per_unit = (uint32_t)(capability_figure(target, CAPABILITY_REGISTERS) * 1024),
        .registers_per_group = allocation ? (uint32_t)allocation->registers_of_group * 1024 : 0,
        .warp_items = 32,
        .group_items = items,
        .group_size = {items, items, 64},
        .units = (uint32_t)figure_of(target->gpu, GPU_UNITS),
        .items_per_unit = (uint32_t)capability_figure(target, CAPABILITY_ITEMS),
        .clock_mhz = (uint32_t)figure_of(target->gpu, GPU_CLOCK),
        .has_double = target->compute >= 13,
        .has_images = true,
    };
    if (properties->local_bytes_per_group > 48 << 10)
        properties->local_bytes_per_group = 48 << 10; /* more needs an opt-in */
    if (properties->units == 0)
        properties->units = 1;
    snprintf(properties->name, sizeof properties->name, "%s", target->name);
    snprintf(properties->vendor, sizeof properties->vendor, "NVIDIA");
    snprintf(properties->version, sizeof properties->version, "%s", target->capability->version);
}

static const struct gpu *newest_gpu(const char *version)
{
    const struct gpu *found = NULL;
    for (size_t i = 0; i < gpu_count; i++)
        if (strcmp(gpus[i].version, version) == 0 && (!found || figure_of(&gpus[i], GPU_UNITS) > 0))
            found = &gpus[i];
    return found;
}

/* "sm_90", "sm_90a", "compute_90" and "9.0" become "9.0". False: the text is not a version. */
static bool read_version(const char *text, char version[16])
{
    static const char *const prefixes[] = {"sm_", "compute_", "sm", ""};
    int number, end = 0;
    for (size_t i = 0; i < COUNT_OF(prefixes) - 1; i++) {
        size_t length = strlen(prefixes[i]);
        if (strncasecmp(text, prefixes[i], length) != 0 || sscanf(text + length, "%3d%n", &number, &end) != 1)
            continue;
        const char *rest = text + length + end;
        if (number < 10 || (rest[0] && !(rest[1] == '\0' && strchr("af", rest[0]))))
            return false;
        snprintf(version, 16, "%d.%d", number / 10, number % 10);
        return true;
    }
    if (!compute_of(text))
        return false;
    snprintf(version, 16, "%s", text);
    return true;
}

/* Matches a whole name, or an unambiguous part of a name, of whole words; `all` has the names of those that match. */
static const struct gpu *gpu_by_text(const char *text, char *all, size_t size)
{
    const struct gpu *found = NULL;
    size_t length = strlen(text), matches = 0;
    all[0] = '\0';
    for (size_t i = 0; i < gpu_count; i++) {
        const char *name = gpus[i].name;
        size_t whole = strlen(name);
        if (strcasecmp(name, text) == 0)
            return &gpus[i];
        for (const char *at = name; length > 0 && at + length <= name + whole; at++) {
            bool begins = at == name || at[-1] == ' ' || at[-1] == '-';
            bool ends = at[length] == '\0' || at[length] == ' ' || at[length] == '-';
            if (begins && ends && strncasecmp(at, text, length) == 0) {
                found = &gpus[i];
                text_append(all, size, matches++ ? ", '%s'" : "'%s'", name);
                break;
            }
        }
    }
    return matches == 1 ? found : NULL;
}

/* A CPU that is absent here: its caches are known, its rates are not. */
static void imagine_cpu(struct explain_target *target)
{
    target->kind = BACKEND_CPU;
    snprintf(target->name, sizeof target->name, "%s", target->caches->name);
    snprintf(target->properties.name, sizeof target->properties.name, "%s", target->caches->name);
}

static enum status refuse(const char *text, struct error *error)
{
    size_t count = gpu_count + capability_count + cpu_caches_count;
    const char **names = calloc(count, sizeof *names);
    const char *closest = NULL;
    for (size_t i = 0; names && i < gpu_count; i++)
        names[i] = gpus[i].name;
    for (size_t i = 0; names && i < capability_count; i++)
        names[gpu_count + i] = capabilities[i].version;
    for (size_t i = 0; names && i < cpu_caches_count; i++)
        names[gpu_count + capability_count + i] = cpu_caches[i].name;
    if (names)
        closest = text_closest(text, names, count);
    free(names);
    if (closest)
        return fail(error, STATUS_INVALID, "'%s' is not a known architecture or GPU; did you mean '%s'?", text,
                    closest);
    return fail(error, STATUS_INVALID,
                "'%s' is not a known architecture or GPU; use sm_90, 9.0, \"Tesla K40\", cuda:0 or this-cpu "
                "(uskor architectures lists them)",
                text);
}

enum status explain_target_parse(const char *text, struct explain_target *target, struct error *error)
{
    char version[16] = "", several[512];
    *target = (struct explain_target){.kind = BACKEND_CUDA};
    if (read_version(text, version)) {
        target->capability = capability_by_version(version);
        if (!target->capability)
            return fail(error, STATUS_INVALID, "%s: there is no compute capability %s in the tables; there are %s … %s",
                        text, version, capabilities[0].version, capabilities[capability_count - 1].version);
        target->gpu = newest_gpu(version);
        snprintf(target->name, sizeof target->name, "sm_%d", compute_of(version));
    } else {
        target->gpu = gpu_by_text(text, several, sizeof several);
        if (!target->gpu)
            target->gpu = gpu_by_device_name(text);
        if (!target->gpu && strchr(several, ','))
            return fail(error, STATUS_INVALID, "'%s' is part of several names: %s", text, several);
        target->caches = target->gpu ? NULL : cpu_caches_by_name(text);
        if (target->caches) {
            imagine_cpu(target);
            return STATUS_OK;
        }
        if (!target->gpu)
            return refuse(text, error);
        target->capability = capability_by_version(target->gpu->version);
        snprintf(target->name, sizeof target->name, "%s", target->gpu->name);
    }
    target->compute = compute_of(target->capability->version);
    imagine(target);
    publish(target);
    return STATUS_OK;
}

void explain_target_of_device(const struct device *device, struct explain_target *target)
{
    *target = (struct explain_target){.kind = device->backend->kind, .properties = device->properties};
    snprintf(target->name, sizeof target->name, "%s (%.200s)", device->id, device->properties.name);
    snprintf(target->device, sizeof target->device, "%s", device->id);
    target->units = (int)device->properties.units;
    if (target->kind == BACKEND_CUDA) {
        target->capability = capability_by_version(device->properties.version);
        target->compute = compute_of(device->properties.version);
        target->gpu = gpu_by_device_name(device->properties.name);
    }
    publish(target);
}

void explain_target_measured(struct explain_target *target, enum explain_ceiling ceiling, double rate)
{
    target->ceilings[ceiling] = rate;
    target->measured[ceiling] = rate > 0;
}
