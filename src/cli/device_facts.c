#include "cli/device_facts.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/size.h"

#define AT(field) offsetof(struct device_properties, field)

const struct fact device_facts[] = {
    {"name", "name", FACT_TEXT, AT(name), ""},
    {"vendor", "vendor", FACT_TEXT, AT(vendor), ""},
    {"driver", "driver", FACT_TEXT, AT(driver), ""},
    {"version", "version", FACT_TEXT, AT(version), ""},
    {"memory", "memory_bytes", FACT_BYTES, AT(memory_bytes), ""},
    {"last-level cache", "cache_bytes", FACT_BYTES, AT(cache_bytes), ""},
    {"units (multiprocessors, cores)", "units", FACT_NUMBER, AT(units), ""},
    {"clock", "clock_mhz", FACT_NUMBER, AT(clock_mhz), " MHz"},
    {"memory clock", "memory_clock_mhz", FACT_NUMBER, AT(memory_clock_mhz), " MHz"},
    {"memory bus", "memory_bus_bits", FACT_NUMBER, AT(memory_bus_bits), " bits"},
    {"bus", "bus", FACT_TEXT, AT(bus), ""},
    {"warp", "warp_items", FACT_NUMBER, AT(warp_items), " items"},
    {"items in a group, at most", "group_items", FACT_NUMBER, AT(group_items), ""},
    {"items in a group, x", "group_size_x", FACT_NUMBER, AT(group_size[0]), ""},
    {"items in a group, y", "group_size_y", FACT_NUMBER, AT(group_size[1]), ""},
    {"items in a group, z", "group_size_z", FACT_NUMBER, AT(group_size[2]), ""},
    {"groups in a grid, x", "grid_groups_x", FACT_LARGE_NUMBER, AT(grid_groups[0]), ""},
    {"groups in a grid, y", "grid_groups_y", FACT_LARGE_NUMBER, AT(grid_groups[1]), ""},
    {"groups in a grid, z", "grid_groups_z", FACT_LARGE_NUMBER, AT(grid_groups[2]), ""},
    {"local memory of a group", "local_bytes_per_group", FACT_BYTES, AT(local_bytes_per_group), ""},
    {"local memory of a group, on request", "local_bytes_per_group_limit", FACT_BYTES, AT(local_bytes_per_group_limit),
     ""},
    {"local memory of a unit", "local_bytes_per_unit", FACT_BYTES, AT(local_bytes_per_unit), ""},
    {"constant memory", "constant_bytes", FACT_BYTES, AT(constant_bytes), ""},
    {"registers of a group", "registers_per_group", FACT_NUMBER, AT(registers_per_group), ""},
    {"registers of a unit", "registers_per_unit", FACT_NUMBER, AT(registers_per_unit), ""},
    {"resident items on a unit", "items_per_unit", FACT_NUMBER, AT(items_per_unit), ""},
    {"double precision", "has_double", FACT_FLAG, AT(has_double), ""},
    {"images", "has_images", FACT_FLAG, AT(has_images), ""},
    {"shares memory with the host", "unified_memory", FACT_FLAG, AT(unified_memory), ""},
};

const size_t device_fact_count = COUNT_OF(device_facts);

const char *fact_text(const struct fact *fact, const struct device_properties *properties)
{
    return (const char *)properties + fact->offset;
}

uint64_t fact_number(const struct fact *fact, const struct device_properties *properties)
{
    const char *at = (const char *)properties + fact->offset;
    if (fact->kind == FACT_NUMBER)
        return *(const uint32_t *)at;
    if (fact->kind == FACT_FLAG)
        return *(const bool *)at;
    return *(const uint64_t *)at;
}

enum status device_describe(const struct device *device, struct machine_device *into, struct error *error)
{
    *into = (struct machine_device){.facts = calloc(device_fact_count, sizeof *into->facts)};
    if (!into->facts)
        return fail(error, STATUS_UNAVAILABLE, "no memory for a device's properties");
    snprintf(into->id, sizeof into->id, "%s", device->id);
    snprintf(into->name, sizeof into->name, "%s", device->properties.name);
    snprintf(into->driver, sizeof into->driver, "%s", device->properties.driver);
    for (size_t i = 0; i < device_fact_count; i++) {
        const struct fact *fact = &device_facts[i];
        struct device_fact *entry = &into->facts[into->fact_count];
        uint64_t number = fact->kind == FACT_TEXT ? 0 : fact_number(fact, &device->properties);
        snprintf(entry->key, sizeof entry->key, "%s", fact->key);
        if (fact->kind == FACT_TEXT)
            snprintf(entry->value, sizeof entry->value, "%s", fact_text(fact, &device->properties));
        else if (number || fact->kind == FACT_FLAG)
            snprintf(entry->value, sizeof entry->value, "%" PRIu64, number);
        into->fact_count += entry->value[0] != 0;
    }
    return STATUS_OK;
}
