#include "publications/machine_facts.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define DERIVED_MOST 4 /* of each device; and as many of the host */

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
    add(&list, "", "memory", "%s", text_bytes((double)machine->memory_bytes, memory, sizeof memory));
    for (size_t d = 0; d < machine->device_count; d++) {
        const struct machine_device *device = &machine->devices[d];
        for (size_t i = 0; i < device->fact_count; i++)
            add(&list, device->id, device->facts[i].key, "%s", device->facts[i].value);
        add_derived(&list, device, ceilings);
    }
    *facts = list.items;
    *count = list.count;
    return STATUS_OK;
}
