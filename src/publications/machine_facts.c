#include "publications/reproduction.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "architectures/architectures.h"
#include "base/size.h"
#include "base/text.h"

#define DERIVED_MOST 32 /* of each device; and as many of the host */

struct list {
    struct here_fact *items;
    size_t count;
};

__attribute__((format(printf, 4, 5))) static void add(struct list *list, const char *device, const char *key,
                                                      const char *format, ...)
{
    struct here_fact *fact = &list->items[list->count++];
    va_list arguments;
    va_start(arguments, format);
    snprintf(fact->device, sizeof fact->device, "%s", device);
    snprintf(fact->key, sizeof fact->key, "%s", key);
    vsnprintf(fact->value, sizeof fact->value, format, arguments);
    va_end(arguments);
}

static double number_of(const struct machine_device *device, const char *key)
{
    double value;
    for (size_t i = 0; i < device->fact_count; i++)
        if (strcmp(device->facts[i].key, key) == 0 && text_real(device->facts[i].value, &value))
            return value;
    return 0;
}

static double ceiling_of(const struct ceiling_list *ceilings, const struct machine_device *device, const char *what)
{
    double best = 0;
    for (size_t i = 0; ceilings && i < ceilings->count; i++) {
        const struct ceiling *ceiling = &ceilings->items[i];
        if (strcmp(ceiling->device, device->id) == 0 && strcmp(ceiling->device_name, device->name) == 0 &&
            strcmp(ceiling->what, what) == 0 && ceiling->rate > best)
            best = ceiling->rate;
    }
    return best;
}

static const char *text_of(const struct machine_device *device, const char *key)
{
    for (size_t i = 0; i < device->fact_count; i++)
        if (strcmp(device->facts[i].key, key) == 0)
            return device->facts[i].value;
    return "";
}

/* "9.0", or what ends in "compute capability 9.0", as NVIDIA's OpenCL says it; NULL: no CUDA device. */
static const struct capability *capability_of(const struct machine_device *device)
{
    static const char words[] = "compute capability ";
    const char *version = text_of(device, "version"), *at = strstr(version, words);
    return capability_by_version(at ? at + strlen(words) : version);
}

static void add_figure(struct list *list, const char *device, const char *key, struct figure figure, double factor)
{
    if (figure_is_known(figure))
        add(list, device, key, "%.6g%s", figure.value * factor, figure_mark(figure));
}

static void add_of_capability(struct list *list, const struct machine_device *device)
{
    static const struct {
        const char *key;
        enum capability_column column;
    } columns[] = {{"cores_per_unit", CAPABILITY_CORES},
                   {"fp64_per_unit", CAPABILITY_FP64},
                   {"load_store_units", CAPABILITY_LOAD_STORE},
                   {"special_units", CAPABILITY_SPECIAL},
                   {"schedulers", CAPABILITY_SCHEDULERS},
                   {"groups_per_unit", CAPABILITY_GROUPS},
                   {"l1_kb", CAPABILITY_CACHE},
                   {"grids", CAPABILITY_GRIDS}};
    const struct capability *capability = capability_of(device);
    double units = number_of(device, "units"), registers = number_of(device, "registers_per_unit");
    if (!capability)
        return;
    for (size_t i = 0; i < COUNT_OF(columns); i++)
        add_figure(list, device->id, columns[i].key, capability->figures[columns[i].column], 1);
    add(list, device->id, "architecture", "%s", capability->architecture);
    if (units > 0)
        add_figure(list, device->id, "cores", capability->figures[CAPABILITY_CORES], units);
    if (units > 0 && registers > 0)
        add(list, device->id, "registers_kb", "%.0f", units * registers * 4 / 1024);
}

static void add_of_gpu(struct list *list, const struct machine_device *device)
{
    const struct gpu *gpu = gpu_by_device_name(device->name);
    if (!gpu)
        return;
    add_figure(list, device->id, "fp32_tflops", gpu->figures[GPU_FP32], 1e-3);
    add_figure(list, device->id, "fp64_tflops", gpu->figures[GPU_FP64], 1e-3);
    add_figure(list, device->id, "tensor_tflops", gpu->figures[GPU_TENSOR], 1e-3);
    add_figure(list, device->id, "memory_gb", gpu->figures[GPU_MEMORY], 1);
    add_figure(list, device->id, "transistors", gpu->figures[GPU_TRANSISTORS], 1);
    if (gpu_doubles_per_watt(gpu) > 0)
        add(list, device->id, "fp64_gflops_per_watt", "%.0f", gpu_doubles_per_watt(gpu));
}

static void add_derived(struct list *list, const struct machine_device *device, const struct ceiling_list *ceilings)
{
    double cache = number_of(device, "cache_bytes"), local = number_of(device, "local_bytes_per_unit");
    double clock = number_of(device, "memory_clock_mhz"), bits = number_of(device, "memory_bus_bits");
    double flops = ceiling_of(ceilings, device, "fma-f32"), read = ceiling_of(ceilings, device, "dram-read");
    if (cache > 0)
        add(list, device->id, "cache_kb", "%.0f", cache / 1024);
    if (local > 0)
        add(list, device->id, "local_kb_per_unit", "%.0f", local / 1024);
    if (clock > 0 && bits > 0)
        add(list, device->id, "memory_gb_s", "%.0f", clock * 2 * bits / 8 / 1000); /* two transfers a clock */
    if (flops > 0 && read > 0)
        add(list, device->id, "balance", "%.1f", flops / read);
}

enum status machine_facts_make(const struct machine *machine, const struct ceiling_list *ceilings,
                               struct here_fact **facts, size_t *count, struct error *error)
{
    size_t most = DERIVED_MOST;
    for (size_t d = 0; d < machine->device_count; d++)
        most += machine->devices[d].fact_count + DERIVED_MOST;
    struct list list = {.items = calloc(most, sizeof *list.items)};
    char memory[32];
    *facts = NULL;
    *count = 0;
    if (!list.items)
        return fail(error, STATUS_UNAVAILABLE, "no memory for %zu facts", most);
    add(&list, "", "cpu", "%s", machine->cpu);
    add(&list, "", "os", "%s", machine->os);
    add(&list, "", "threads", "%u", machine->cores);
    if (machine->core_count)
        add(&list, "", "cores", "%u", machine->core_count);
    add(&list, "", "memory", "%s", text_bytes((double)machine->memory_bytes, memory, sizeof memory));
    for (size_t d = 0; d < machine->device_count; d++) {
        const struct machine_device *device = &machine->devices[d];
        for (size_t i = 0; i < device->fact_count; i++)
            add(&list, device->id, device->facts[i].key, "%s", device->facts[i].value);
        add_derived(&list, device, ceilings);
        add_of_capability(&list, device);
        add_of_gpu(&list, device);
    }
    *facts = list.items;
    *count = list.count;
    return STATUS_OK;
}
